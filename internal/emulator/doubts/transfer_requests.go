package doubts

var transferRequests = &section{title: "Transfer requests"}

// Doubts about transfer requests. Those with a name have a reading or a question.
var (
	_ = transferRequests.add("transfer-requests-enabled", "Who has transfer requests (a guide of 2025 had them in private preview, with \"project transfer requests are not enabled for this account\")", "everybody")
	_ = transferRequests.add("who-requests-transfers", "Who may create a transfer request (404 \"not authorized to create transfer request for this project\" was [seen](https://github.com/neondatabase/claimable-neon))", "the administrators of the project and its organization's keys; that 404 for all others who see it, keys for it alone too")
	_ = transferRequests.add("transfer-request-ttl", "The shortest and the longest `ttl_seconds`", "1 and 2147483647; 400 for others")
	_ = transferRequests.add("transfer-requests-at-once", "Several transfer requests of a project", "each can be accepted until one is; all end then")

	TransferRequestGone = transferRequests.add("transfer-request-gone", "Accepting a transfer request that has expired, was accepted, or never was (status, words; that each [can be used once](https://neon.com/docs/workflows/claimable-database-integration) is documented)", "404 \"transfer request not found\"",
		reads("Accepting a transfer request that isn't there any more: the status of the refusal.", "404", "403", "410"))

	_ = transferRequests.add("transfer-request-key", "Accepting a transfer request with a key for one project (status, words), or without `org_id` (the project becomes the user's own by the [reference](https://neon.com/docs/reference/api/projects/accept-project-transfer-request), where projects belong to organizations alone today)", "404; with an organization's key its own, with a personal one 400 \"org_id is required\"")

	TransferRequestPlan = transferRequests.add("transfer-request-plan", "When the plan of the organization that accepts a transfer request doesn't suffice (that it is 406 with `reasons` is in the [reference](https://neon.com/docs/reference/api/projects/accept-project-transfer-request); codes, words)", "where it has no room for one more project, or for the project's branches: `projects_count`, `branches_count`",
		reads("When the plan of whoever accepts a transfer request doesn't suffice: where it has too little room, or also where it is lower than the plan that the project comes from.", "room", "rank").because("it takes a second organization"))

	_ = transferRequests.add("transfer-request-integration", "Accepting a project that has an integration (a transfer that an organization begins is 422 with `projects`)", "422")
)
