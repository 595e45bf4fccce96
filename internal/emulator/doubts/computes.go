package doubts

var computes = &section{title: "Compute endpoints"}

// Doubts about compute endpoints. Those with a name have a reading or a question.
var (
	_ = computes.add("start-active", "`start` of an active compute, `suspend` of an idle one", "200 without operations")

	ComputeRange = computes.add("compute-range", "`min_cu` above `max_cu`; a suspend timeout from 1 to 59 (words)", "400")

	_ = computes.add("endpoint-settings", "`settings` in a PATCH", "replaced as a whole")
	_ = computes.add("endpoint-name-alone", "A PATCH that changes the name alone", "no operation, and no refusal while others run")

	PatchIdleCompute = computes.add("patch-idle-compute", "A PATCH of an idle compute", "no operation, as in the [sample](https://neon.com/docs/reference/api/endpoints.md); of an active one `apply_config` and `suspend_compute`",
		reads("Whether a change of an idle compute starts apply_config.", "alone", "apply-config"))

	NewReplica = computes.add("new-replica", "A new read-only compute", "is started; the [sample](https://neon.com/docs/reference/api/endpoints.md) is idle, without operations",
		reads("Whether a new read-only compute is started, or stays idle without an operation.", "started", "idle"))

	CreateDisabled = computes.add("create-disabled", "A compute that is created as disabled", "no operation, and it is idle",
		reads("A compute that is created as disabled: it stays idle without an operation, or is started and suspended.", "idle", "started"))

	_ = computes.add("disabled-compute", "`start` and `restart` of a disabled compute; another `branch_id` in a PATCH", "422; 400")
	_ = computes.add("compute-suspends", "What keeps a compute from suspending", "a statement or a transaction through it, or its start; an idle session doesn't, and ends with it")
	_ = computes.add("compute-wakes", "A login to a suspended compute", "waits for a `start_compute`, which nothing refuses; where that fails, it is refused (words)")
	_ = computes.add("compute-sessions", "Sessions of a compute that is suspended or restarted", "end within a second after that")
	_ = computes.add("compute-addresses", "Logins from addresses that aren't allowed, or over blocked public connections (the latter's words)", "refused before the password is asked for; sessions that are open stay")
	_ = computes.add("compute-settings", "`pg_settings`, and logical replication", "PostgreSQL starts with those that any of its users may set, to values that they can have, and with `wal_level=logical`; from the compute's next start")
)
