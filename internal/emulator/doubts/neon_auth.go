package doubts

var neonAuth = &section{title: "Neon Auth"}

// Doubts about Neon Auth. Those with a name have a reading or a question.
var (
	AuthAfterRestore = neonAuth.add("auth-after-restore", "Neon Auth of a branch that is restored from another one, or reset (the users are data, which are the source's)", "a copy of the source's, or none where that has none",
		reads("Neon Auth of a branch that is restored or reset: as its source has it, or as it was.", "source", "kept"))

	AuthSchemaLeft = neonAuth.add("auth-schema-left", "Enabling Neon Auth on a branch where it was disabled without deleting its data (status, words; that it is refused was [seen](https://github.com/alchemy-run/alchemy), though the [page](https://neon.com/docs/auth/guides/manage-auth-api) says \"You can re-enable later without losing user data\")", "409",
		reads("Enabling Neon Auth on a branch that has the schema of an earlier one: the status of the refusal.", "409", "400", "422", "enabled"))

	_ = neonAuth.add("auth-refusals", "Neon Auth a second time, on a branch that has none, for a database that there isn't (words; Neon's command line expects 409 of the first)", "409, 404, 404")
	_ = neonAuth.add("auth-defaults", "Settings of a new Neon Auth that nobody has set, and the domain `https://Shop.example.com/` once it is added", "those of the description; pages on `localhost` may use it (\"[pre-configured](https://neon.com/docs/auth/guides/configure-domains)\"); people sign in with a password; `https://shop.example.com`")
	_ = neonAuth.add("auth-mail", "The email provider's password in the answer to a change, and a test mail without a server of one's own (status, words)", "empty; 400")
	_ = neonAuth.add("auth-webhook", "A webhook of an address that isn't [HTTPS](https://neon.com/docs/auth/guides/webhooks), and one that is enabled without any (status, words)", "400, 400")

	SharedMailServer = neonAuth.add("shared-mail-server", "A mail server of one's own once Neon's shared one has taken its place (the shared one has `sender_email` and `sender_name` in the description of `@neon/sdk` 6.1.2, which says nothing of the other's members)", "it is forgotten",
		reads("The mail server of one's own after Neon's shared one took its place: Neon has forgotten it, or has it again with the type.", "forgotten", "kept"))
)
