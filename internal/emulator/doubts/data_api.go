package doubts

var dataAPI = &section{title: "The Data API"}

// Doubts about the Data API. Those with a name have a reading or a question.
var (
	DataAPISettings = dataAPI.add(&Doubt{
		Key: "data-api-settings", What: "`settings` and `available_schemas` of a Data API in answers (nullable in the description)",
		Decided:      "all that count, with those that were never sent as their defaults (none for `db_max_rows`: \"No limit when unset\" in `@neon/sdk` 6.1.2), and `[\"public\"]`; the status is `active`",
		Reading:      "The settings and schemas of a Data API in answers: all of them, or null.",
		Alternatives: []string{"all", "none"},
	})
	DataAPISettingsAll = DataAPISettings.played("all")

	_ = dataAPI.add(&Doubt{Key: "data-api-refusals", What: "A second Data API of a database, an external provider without `jwks_url`, and a Data API that isn't there (words; that the first is 409 is expected by Neon's command line)", Decided: "409, 400, 404"})
	_ = dataAPI.add(&Doubt{Key: "data-api-operations", What: "Creating a Data API: operations, and roles afterwards", Decided: "those of a change of roles, which the answer doesn't have; `anonymous`, `authenticated`, `authenticator`"})

	DataAPIOfChild = dataAPI.add(&Doubt{
		Key: "data-api-of-child", What: "The Data API in a branch of a branch that has one",
		Decided:      "none; a database keeps its own when it is renamed",
		Reading:      "The Data API in a branch of a branch that has one: there is none, or one of its own that is alike.",
		Alternatives: []string{"none", "copied"},
	})
	DataAPIOfChildCopied = DataAPIOfChild.played("copied")

	DataAPIAfterRestore = dataAPI.add(&Doubt{
		Key: "data-api-after-restore", What: "The Data API of a branch that is restored from another one, or reset",
		Decided:      "it stays, with its database",
		Reading:      "The Data API of a branch that is restored or reset: it stays, or is gone.",
		Alternatives: []string{"kept", "gone"},
	})
	DataAPIAfterRestoreGone = DataAPIAfterRestore.played("gone")
)
