package doubts

var operations = &section{title: "Operations and limits"}

// Doubts about operations and limits. Those with a name have a reading or a question.
var (
	Conflicts = operations.add(&Doubt{
		Key: "conflicts", What: "Which operations are in each other's way ([tests of Neon's SDK](https://github.com/neondatabase/neon-pkgs/blob/051b06e63e8182729f7a19af9a84343430cb4a62/packages/sdk/e2e/resources.e2e.test.ts) expect all of a project to be)",
		Decided: "all of a project; `-conflicts branch` has those of a branch alone",
	})

	_ = operations.add(&Doubt{Key: "failed-operation", What: "A failed operation (which Neon [may try again](https://neon.com/docs/manage/operations))", Decided: "isn't in the way of others"})

	AfterFailed = operations.add(&Doubt{
		Key: "after-failed", What: "Operations of one request after one that failed for good",
		Decided:      "cancelled",
		Reading:      "What becomes of the operations of a request after one of them has failed: they are cancelled, or run.",
		Alternatives: []string{"cancelled", "run"},
		Unasked:      "nobody can make Neon's operations fail",
	})
	AfterFailedCancelled = AfterFailed.played("cancelled")

	_ = operations.add(&Doubt{Key: "deleted-compute-operations", What: "When a deleted compute's operations begin", Decided: "at once, one after the other on each compute, side by side on several"})

	RateLimits = operations.add(&Doubt{
		Key: "rate-limits", What: "Rate limits: over what, and how they refuse (about [30 a minute](https://neon.com/docs/guides/consumption-metrics) for calls about consumption)",
		Decided:      "the account, in a sliding minute and second; 429 without Retry-After",
		Reading:      "Whether a refusal by a rate limit has the header Retry-After.",
		Alternatives: []string{"silent", "told"},
		Unasked:      "it would slow down all that uses the account",
	})
	RateLimitsTold = RateLimits.played("told")

	_ = operations.add(&Doubt{Key: "old-operations", What: "Operations older than six months (which [may be deleted](https://neon.com/docs/manage/operations))", Decided: "gone from lists and reads; so are, to spare memory, all but a project's last 5,000"})

	BranchCursor = operations.add(&Doubt{
		Key: "branch-cursor", What: "`sort_order` and `cursor` of a branch list that changes meanwhile",
		Decided: "the cursor is a place in the order, not a snapshot",
	})
)
