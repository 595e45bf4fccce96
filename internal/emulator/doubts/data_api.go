package doubts

var dataAPI = &section{title: "The Data API"}

// Doubts about the Data API. Those with a name have a reading or a question.
var (
	DataAPISettings = dataAPI.add("data-api-settings", "`settings` and `available_schemas` of a Data API in answers (nullable in the description)", "all that count, with those that were never sent as their defaults (none for `db_max_rows`: \"No limit when unset\" in `@neon/sdk` 6.1.2), and `[\"public\"]`; the status is `active`",
		reads("The settings and schemas of a Data API in answers: all of them, or null.", "all", "none"))

	_ = dataAPI.add("data-api-refusals", "A second Data API of a database, an external provider without `jwks_url`, and a Data API that isn't there (words; that the first is 409 is expected by Neon's command line)", "409, 400, 404")
	_ = dataAPI.add("data-api-operations", "Creating a Data API: operations, and roles afterwards", "those of a change of roles, which the answer doesn't have; `anonymous`, `authenticated`, `authenticator`")

	DataAPIOfChild = dataAPI.add("data-api-of-child", "The Data API in a branch of a branch that has one", "none; a database keeps its own when it is renamed",
		reads("The Data API in a branch of a branch that has one: there is none, or one of its own that is alike.", "none", "copied"))

	DataAPIAfterRestore = dataAPI.add("data-api-after-restore", "The Data API of a branch that is restored from another one, or reset", "it stays, with its database",
		reads("The Data API of a branch that is restored or reset: it stays, or is gone.", "kept", "gone"))
)
