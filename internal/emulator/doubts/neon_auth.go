package doubts

var neonAuth = &section{title: "Neon Auth"}

// Doubts about Neon Auth. Those with a name have a reading or a question.
var (
	AuthAfterRestore = neonAuth.add(&Doubt{
		Key: "auth-after-restore", What: "Neon Auth of a branch that is restored from another one, or reset (the users are data, which are the source's)",
		Decided:      "a copy of the source's, or none where that has none",
		Reading:      "Neon Auth of a branch that is restored or reset: as its source has it, or as it was.",
		Alternatives: []string{"source", "kept"},
	})
	AuthAfterRestoreKept = AuthAfterRestore.played("kept")

	AuthSchemaLeft = neonAuth.add(&Doubt{
		Key: "auth-schema-left", What: "Enabling Neon Auth on a branch where it was disabled without deleting its data (status, words; that it is refused was [seen](https://github.com/alchemy-run/alchemy), though the [page](https://neon.com/docs/auth/guides/manage-auth-api) says \"You can re-enable later without losing user data\")",
		Decided:      "409",
		Reading:      "Enabling Neon Auth on a branch that has the schema of an earlier one: the status of the refusal.",
		Alternatives: []string{"409", "400", "422", "enabled"},
	})
	AuthSchemaLeftEnabled = AuthSchemaLeft.played("enabled")

	_ = neonAuth.add(&Doubt{Key: "auth-refusals", What: "Neon Auth a second time, on a branch that has none, for a database that there isn't (words; Neon's command line expects 409 of the first)", Decided: "409, 404, 404"})
	_ = neonAuth.add(&Doubt{Key: "auth-defaults", What: "Settings of a new Neon Auth that nobody has set, and the domain `https://Shop.example.com/` once it is added", Decided: "those of the description; pages on `localhost` may use it (\"[pre-configured](https://neon.com/docs/auth/guides/configure-domains)\"); people sign in with a password; `https://shop.example.com`"})
	_ = neonAuth.add(&Doubt{Key: "auth-mail", What: "The email provider's password in the answer to a change, and a test mail without a server of one's own (status, words)", Decided: "empty; 400"})
	_ = neonAuth.add(&Doubt{Key: "auth-webhook", What: "A webhook of an address that isn't [HTTPS](https://neon.com/docs/auth/guides/webhooks), and one that is enabled without any (status, words)", Decided: "400, 400"})

	SharedMailServer = neonAuth.add(&Doubt{
		Key: "shared-mail-server", What: "A mail server of one's own once Neon's shared one has taken its place (the shared one has `sender_email` and `sender_name` in the description of `@neon/sdk` 6.1.2, which says nothing of the other's members)",
		Decided:      "it is forgotten",
		Reading:      "The mail server of one's own after Neon's shared one took its place: Neon has forgotten it, or has it again with the type.",
		Alternatives: []string{"forgotten", "kept"},
	})
	SharedMailServerKept = SharedMailServer.played("kept")
)
