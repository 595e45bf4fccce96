package doubts

var plans = &section{title: "Plans", intro: "Numbers and sizes are those of the published plans. Without `-plan` an organization has what\n" +
	"Scale has, and no limits on numbers but that of root branches."}

// Doubts about plans. Those with a name have a reading or a question.
var (
	_ = plans.add("raised-limits", "A limit on projects or branches that a plan lets raise, or bill for", "is where the published plans have it: 5,000 branches on Launch and Scale")
	_ = plans.add("plan-names", "Which names of plans answers have: the description has [`free`, `launch` or `scale`](https://www.npmjs.com/package/@neon/sdk) as examples for an organization, and lists `subscription_type`s with and without `_v3`, such as `launch` and `launch_v3`, of which [`_v3` is the billing since August 2025](https://github.com/neondatabase/website/pull/3798)", "`free`, `launch` or `scale`; with `_v3` as a `subscription_type`")
	_ = plans.add("protected-limit", "One protected branch too many, or any on Free (words)", "422 `BRANCHES_PROTECTED_LIMIT_EXCEEDED`")
	_ = plans.add("projects-limit", "One project too many (words; older reports have \"user projects limit of 1 exceeded, got 1\")", "\"projects limit exceeded\"")
	_ = plans.add("limit-by-the-way", "Recovering a project, or keeping a backup of a restored branch, beyond a limit", "as creating one")
	_ = plans.add("free-suspend-timeout", "A suspend timeout on Free, which [can't be changed](https://github.com/neondatabase/neon/issues/4915) there (words: reports of 2026 quote them)", "412, for `0` and `300` too")
	_ = plans.add("launch-suspend-timeout", "A suspend timeout on Launch above 300 seconds (300 was seen to be taken, 60 to 240 to be refused with 412; reports that quote a 412 are of Free, and Neon's command line sends no such value). Neon's pages had [up to 7 days on paid plans](https://github.com/neondatabase/website/pull/3547) in June 2025, and have [5 minutes or never, and other times on Scale alone](https://github.com/neondatabase/website/pull/3950) since September 2025", "taken")
	_ = plans.add("compute-too-large", "A compute larger than the plan has (status, words)", "412")

	ComputeSizes = plans.add("compute-sizes", "A size that the documentation's table of computes doesn't have, limits more than 8 apart (statuses, words; the widest range is 8 by the [introduction](https://neon.com/docs/introduction/autoscaling), the [FAQ](https://neon.com/faqs/managed-postgres-services-auto-resize-compute) and the newest [guide](https://neon.com/docs/guides/autoscaling-guide), so 0.25 to 10 is refused; at the end of 2025 the guide had a ratio above 10 instead)", "400")

	NewerFields = plans.add("newer-fields", "`slug`, `project_slug`, `branch_slug`, `hosts` and `group` in answers ([samples](https://neon.com/docs/reference/api/endpoints.md))", "left out",
		reads("Whether answers have slug, project_slug, branch_slug, hosts and group, which newer samples have.", "omitted", "told"))

	_ = plans.add("free-maintenance", "A maintenance window on Free (words)", "400")
	_ = plans.add("plan-hipaa", "`hipaa` on Free and Launch (status, words)", "400")
	_ = plans.add("plan-network-settings", "`block_public_connections` and `block_vpc_connections` on Free and Launch (status, words; [Scale alone](https://neon.com/docs/introduction/plans) has private networking), `audit_log_level` on plans without HIPAA (status, words; [reference](https://neon.com/docs/reference/api/projects)), `allowed_ips` (400 with `max: \"0\"` in reports)", "400; no level is lowered to `base` again")
	_ = plans.add("quota", "`settings.quota`, and a plan's compute hours, storage and transfer", "kept, and never used up")
	_ = plans.add("more-computes", "More than [20 active computes](https://github.com/neondatabase/website/pull/4000) of a project, beside those of its default branch (status); more than [500 roles](https://neon.com/docs/manage/roles) or [databases](https://neon.com/docs/manage/databases) on a branch (status)", "a new one stays idle, a start is 422 `ACTIVE_ENDPOINTS_LIMIT_EXCEEDED`, a login is refused; 422 `ROLES_LIMIT_EXCEEDED`, `DATABASES_LIMIT_EXCEEDED`")

	ComputeSizesByDefault = plans.add("compute-sizes-by-default", "Compute units of a new project's computes on plans that cost something (1 in [samples](https://neon.com/docs/reference/api/endpoints.md))", "0.25 to 0.25",
		reads("The compute units that a new project's computes have: 0.25, or 1 on plans that cost something.", "quarter", "one"))

	_ = plans.add("transfer-to-lower-plan", "Transfers to a lower plan", "406 with `subscription_type`, whatever the projects use")
	_ = plans.add("beyond-plan", "What exceeds the plan already, as after a transfer", "goes on; only more of it is refused")
)
