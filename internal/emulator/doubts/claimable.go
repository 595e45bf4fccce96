package doubts

var claimable = &section{title: "Claimable databases"}

// Doubts about claimable databases. Those with a name have a reading or a question.
var (
	ClaimableExpired = claimable.add(&Doubt{
		Key: "claimable-expired", What: "Reading one that has expired",
		Decided:      "404 \"Database not found\"",
		Reading:      "Reading a claimable database that has expired: the status of the refusal.",
		Alternatives: []string{"404", "400", "410"},
		Unasked:      "it takes 72 hours",
	})

	_ = claimable.add(&Doubt{Key: "claimable-claiming", What: "What `CLAIMING` changes", Decided: "the status alone: the connection string is still told"})
	_ = claimable.add(&Doubt{Key: "claimable-taken", What: "Creating one with an id that is taken", Decided: "409"})
	_ = claimable.add(&Doubt{Key: "claimable-null-ref", What: "`ref` as null", Decided: "as one that is missing"})
	_ = claimable.add(&Doubt{Key: "claimable-project", What: "The project of one that nobody has claimed", Decided: "seen with no key"})

	ClaimableConnection = claimable.add(&Doubt{
		Key: "claimable-connection", What: "Connection strings after claiming",
		Decided:      "go on working, passwords included. [Claimable Neon's overview](https://github.com/neondatabase/claimable-neon/blob/main/docs/overview.md) says of what it will serve behind this API that the passwords are reset",
		Reading:      "The password in the connection strings of a database of the older claimable API after its claim: it goes on working, or is replaced.",
		Alternatives: []string{"kept", "rotated"},
		Unasked:      "it takes a person with a browser",
	})
	ClaimableConnectionRotated = ClaimableConnection.played("rotated")

	ClaimWindow = claimable.add(&Doubt{
		Key: "claim-window", What: "How long one can be claimed",
		Decided:      "until it expires. The transfer behind the claim URL may begin at the creation and last 24 hours",
		Reading:      "How long a database of the older claimable API can be claimed: until it expires, or for 24 hours.",
		Alternatives: []string{"72h", "24h"},
		Unasked:      "it takes a day",
	})
	ClaimWindow24h = ClaimWindow.played("24h")

	ClaimableNeonExpired = claimable.add(&Doubt{
		Key: "claimable-neon-expired", What: "The assertion of a Claimable Neon project that has expired",
		Decided:      "410 `project_expired`. The assertion is a JWT that expires with its project, so that 400 `invalid_grant` may come first",
		Reading:      "What Claimable Neon answers an assertion whose project has expired: 410 `project_expired`, or 400 `invalid_grant`.",
		Alternatives: []string{"project-expired", "invalid-grant"},
		Unasked:      "it takes 72 hours",
	})
	ClaimableNeonExpiredInvalidGrant = ClaimableNeonExpired.played("invalid-grant")

	ClaimableExpiresAt = claimable.add(&Doubt{
		Key: "claimable-expires-at", What: "`expires_at` after claiming",
		Decided:      "told as before, and nothing expires",
		Reading:      "expires_at of a claimable database after it was claimed.",
		Alternatives: []string{"told", "null"},
		Unasked:      "it takes a person with a browser",
	})
	ClaimableExpiresAtTold = ClaimableExpiresAt.played("told")
)
