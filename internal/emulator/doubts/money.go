package doubts

var money = &section{title: "Money"}

// Doubts about money. Those with a name have a reading or a question.
var (
	SpendingPlans = money.add("spending-plans", "A spending limit on Free (status, words; [Launch and Scale alone](https://neon.com/docs/reference/api/organizations) have one)", "403, its reading too",
		reads("A spending limit on Free: the status of the refusal.", "403", "400", "412", "422"))

	_ = money.add("spending-rights", "Who may set it beside administrators", "an organization's key")
	_ = money.add("consumption-values", "What projects and branches have used", "of each metric one for each second, since their creation; nothing by private networks, and what wasn't used is [left out](https://neon.com/docs/guides/consumption-metrics)")
	_ = money.add("consumption-periods", "Periods (the [reference](https://neon.com/docs/reference/api/consumption) has the plan's name, and beginnings in the middle of a month)", "a month each, from the day and time of day of the organization's creation")
	_ = money.add("consumption-window", "A window at the edge of what a granularity allows", "counts from the start of the hour, day or month; `from` and `to` are rounded down")
	_ = money.add("consumption-parameters", "Metrics that a call doesn't have, missing parameters, a cursor of no earlier answer (words)", "400")
	_ = money.add("consumption-project-keys", "Keys for one project", "404, as for what is the organization's")
	_ = money.add("advisors", "What the advisors find, and what a database without the Data API is told (they [need it](https://neon.com/docs/reference/api/projects))", "one issue of each category in every database, whether it has the Data API or not")
	_ = money.add("advisors-database", "Advisors of a branch with several databases where none is named (status, words), and of one that isn't there", "400; 404 \"database not found\"")

	PreloadLibraries = money.add("preload-libraries", "Which libraries can be loaded at the start by other versions of PostgreSQL than 17", "the nine of the [reference](https://neon.com/docs/reference/api/projects)",
		reads("Which libraries can be loaded at the start: those of the reference, or but one.", "documented", "few"))
)
