package doubts

var computes = &section{title: "Compute endpoints"}

// Doubts about compute endpoints. Those with a name have a reading or a question.
var (
	_ = computes.add(&Doubt{Key: "start-active", What: "`start` of an active compute, `suspend` of an idle one", Decided: "200 without operations"})

	ComputeRange = computes.add(&Doubt{
		Key: "compute-range", What: "`min_cu` above `max_cu`; a suspend timeout from 1 to 59 (words)",
		Decided: "400",
	})

	_ = computes.add(&Doubt{Key: "endpoint-settings", What: "`settings` in a PATCH", Decided: "replaced as a whole"})
	_ = computes.add(&Doubt{Key: "endpoint-name-alone", What: "A PATCH that changes the name alone", Decided: "no operation, and no refusal while others run"})

	PatchIdleCompute = computes.add(&Doubt{
		Key: "patch-idle-compute", What: "A PATCH of an idle compute",
		Decided:      "no operation, as in the [sample](https://neon.com/docs/reference/api/endpoints.md); of an active one `apply_config` and `suspend_compute`",
		Reading:      "Whether a change of an idle compute starts apply_config.",
		Alternatives: []string{"alone", "apply-config"},
	})
	PatchIdleComputeAlone = PatchIdleCompute.played("alone")

	NewReplica = computes.add(&Doubt{
		Key: "new-replica", What: "A new read-only compute",
		Decided:      "is started; the [sample](https://neon.com/docs/reference/api/endpoints.md) is idle, without operations",
		Reading:      "Whether a new read-only compute is started, or stays idle without an operation.",
		Alternatives: []string{"started", "idle"},
	})
	NewReplicaIdle = NewReplica.played("idle")

	CreateDisabled = computes.add(&Doubt{
		Key: "create-disabled", What: "A compute that is created as disabled",
		Decided:      "no operation, and it is idle",
		Reading:      "A compute that is created as disabled: it stays idle without an operation, or is started and suspended.",
		Alternatives: []string{"idle", "started"},
	})
	CreateDisabledStarted = CreateDisabled.played("started")

	_ = computes.add(&Doubt{Key: "disabled-compute", What: "`start` and `restart` of a disabled compute; another `branch_id` in a PATCH", Decided: "422; 400"})
	_ = computes.add(&Doubt{Key: "compute-suspends", What: "What keeps a compute from suspending", Decided: "a statement or a transaction through it, or its start; an idle session doesn't, and ends with it"})
	_ = computes.add(&Doubt{Key: "compute-wakes", What: "A login to a suspended compute", Decided: "waits for a `start_compute`, which nothing refuses; where that fails, it is refused (words)"})
	_ = computes.add(&Doubt{Key: "compute-sessions", What: "Sessions of a compute that is suspended or restarted", Decided: "end within a second after that"})
	_ = computes.add(&Doubt{Key: "compute-addresses", What: "Logins from addresses that aren't allowed, or over blocked public connections (the latter's words)", Decided: "refused before the password is asked for; sessions that are open stay"})
	_ = computes.add(&Doubt{Key: "compute-settings", What: "`pg_settings`, and logical replication", Decided: "PostgreSQL starts with those that any of its users may set, to values that they can have, and with `wal_level=logical`; from the compute's next start"})
)
