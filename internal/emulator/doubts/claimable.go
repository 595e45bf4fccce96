package doubts

var claimable = &section{title: "Claimable databases"}

// Doubts about claimable databases. Those with a name have a reading or a question.
var (
	ClaimableExpired = claimable.add("claimable-expired", "Reading one that has expired", "404 \"Database not found\"",
		reads("Reading a claimable database that has expired: the status of the refusal.", "404", "400", "410").because("it takes 72 hours"))

	_ = claimable.add("claimable-claiming", "What `CLAIMING` changes", "the status alone: the connection string is still told")
	_ = claimable.add("claimable-taken", "Creating one with an id that is taken", "409")
	_ = claimable.add("claimable-null-ref", "`ref` as null", "as one that is missing")
	_ = claimable.add("claimable-project", "The project of one that nobody has claimed", "seen with no key")

	ClaimableConnection = claimable.add("claimable-connection", "Connection strings after claiming", "go on working, passwords included. [Claimable Neon's overview](https://github.com/neondatabase/claimable-neon/blob/main/docs/overview.md) says of what it will serve behind this API that the passwords are reset",
		reads("The password in the connection strings of a database of the older claimable API after its claim: it goes on working, or is replaced.", "kept", "rotated").because("it takes a person with a browser"))

	ClaimWindow = claimable.add("claim-window", "How long one can be claimed", "until it expires. The transfer behind the claim URL may begin at the creation and last 24 hours",
		reads("How long a database of the older claimable API can be claimed: until it expires, or for 24 hours.", "72h", "24h").because("it takes a day"))

	ClaimableNeonExpired = claimable.add("claimable-neon-expired", "The assertion of a Claimable Neon project that has expired", "400 `invalid_grant`: the assertion is a JWT that expires with its project, and [that is looked at first](https://github.com/neondatabase/claimable-neon/blob/main/lib/tokens/tokens.ts)",
		reads("What Claimable Neon answers an assertion whose project has expired: 400 `invalid_grant`, or 410 `project_expired`.", "invalid-grant", "project-expired").because("it takes 72 hours"))

	ClaimableExpiresAt = claimable.add("claimable-expires-at", "`expires_at` after claiming", "told as before, and nothing expires",
		reads("expires_at of a claimable database after it was claimed.", "told", "null").because("it takes a person with a browser"))
)
