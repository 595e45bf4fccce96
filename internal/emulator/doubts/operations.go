package doubts

var operations = &section{title: "Operations and limits"}

// Doubts about operations and limits. Those with a name have a reading or a question.
var (
	Conflicts = operations.add("conflicts", "Which operations are in each other's way ([tests of Neon's SDK](https://github.com/neondatabase/neon-pkgs/blob/051b06e63e8182729f7a19af9a84343430cb4a62/packages/sdk/e2e/resources.e2e.test.ts) expect all of a project to be)", "all of a project; `-conflicts branch` has those of a branch alone")

	_ = operations.add("failed-operation", "A failed operation (which Neon [may try again](https://neon.com/docs/manage/operations))", "isn't in the way of others")

	AfterFailed = operations.add("after-failed", "Operations of one request after one that failed for good", "cancelled",
		reads("What becomes of the operations of a request after one of them has failed: they are cancelled, or run.", "cancelled", "run").because("nobody can make Neon's operations fail"))

	_ = operations.add("deleted-compute-operations", "When a deleted compute's operations begin", "at once, one after the other on each compute, side by side on several")

	RateLimits = operations.add("rate-limits", "Rate limits: over what, and how they refuse (about [30 a minute](https://neon.com/docs/guides/consumption-metrics) for calls about consumption)", "the account, in a sliding minute and second; 429 without Retry-After",
		reads("Whether a refusal by a rate limit has the header Retry-After.", "silent", "told").because("it would slow down all that uses the account"))

	_ = operations.add("old-operations", "Operations older than six months (which [may be deleted](https://neon.com/docs/manage/operations))", "gone from lists and reads; so are, to spare memory, all but a project's last 5,000")

	BranchCursor = operations.add("branch-cursor", "`sort_order` and `cursor` of a branch list that changes meanwhile", "the cursor is a place in the order, not a snapshot")
)
