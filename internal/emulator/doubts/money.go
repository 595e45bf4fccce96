package doubts

var money = &section{title: "Money"}

// Doubts about money. Those with a name have a reading or a question.
var (
	SpendingPlans = money.add(&Doubt{
		Key: "spending-plans", What: "A spending limit on Free (status, words; [Launch and Scale alone](https://neon.com/docs/reference/api/organizations) have one)",
		Decided:      "403, its reading too",
		Reading:      "A spending limit on Free: the status of the refusal.",
		Alternatives: []string{"403", "400", "412", "422"},
	})

	_ = money.add(&Doubt{Key: "spending-rights", What: "Who may set it beside administrators", Decided: "an organization's key"})
	_ = money.add(&Doubt{Key: "consumption-values", What: "What projects and branches have used", Decided: "of each metric one for each second, since their creation; nothing by private networks, and what wasn't used is [left out](https://neon.com/docs/guides/consumption-metrics)"})
	_ = money.add(&Doubt{Key: "consumption-periods", What: "Periods (the [reference](https://neon.com/docs/reference/api/consumption) has the plan's name, and beginnings in the middle of a month)", Decided: "a month each, from the day and time of day of the organization's creation"})
	_ = money.add(&Doubt{Key: "consumption-window", What: "A window at the edge of what a granularity allows", Decided: "counts from the start of the hour, day or month; `from` and `to` are rounded down"})
	_ = money.add(&Doubt{Key: "consumption-parameters", What: "Metrics that a call doesn't have, missing parameters (words)", Decided: "400"})
	_ = money.add(&Doubt{Key: "consumption-project-keys", What: "Keys for one project", Decided: "404, as for what is the organization's"})
	_ = money.add(&Doubt{Key: "advisors", What: "What the advisors find, and what a database without the Data API is told (they [need it](https://neon.com/docs/reference/api/projects))", Decided: "one issue of each category in every database, whether it has the Data API or not"})
	_ = money.add(&Doubt{Key: "advisors-database", What: "Advisors of a branch with several databases where none is named (status, words), and of one that isn't there", Decided: "400; 404 \"database not found\""})

	PreloadLibraries = money.add(&Doubt{
		Key: "preload-libraries", What: "Which libraries can be loaded at the start by other versions of PostgreSQL than 17",
		Decided:      "the nine of the [reference](https://neon.com/docs/reference/api/projects)",
		Reading:      "Which libraries can be loaded at the start: those of the reference, or but one.",
		Alternatives: []string{"documented", "few"},
	})
	PreloadLibrariesFew = PreloadLibraries.played("few")
)
