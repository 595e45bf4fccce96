package doubts

var snapshots = &section{title: "Snapshots and backup schedules"}

// Doubts about snapshots and backup schedules. Those with a name have a reading or a question.
var (
	SnapshotOperations = snapshots.add(&Doubt{
		Key: "snapshot-operations", What: "Operations of a snapshot's creation and deletion",
		Decided:      "`create_branch` and `timeline_archive` of a hidden branch, as in the [sample](https://neon.com/docs/reference/api/snapshots.md); `delete_timeline` of it; a restore begins with `timeline_unarchive`",
		Reading:      "Whether the operations of a snapshot are those of a hidden branch that is archived, or of the branch that it is taken of.",
		Alternatives: []string{"hidden-branch", "own-branch"},
	})
	SnapshotOperationsHiddenBranch = SnapshotOperations.played("hidden-branch")

	SnapshotOfChild = snapshots.add(&Doubt{
		Key: "snapshot-of-child", What: "A snapshot or a schedule of a branch with a parent; finalizing what wasn't restored (statuses, words)",
		Decided:      "422",
		Reading:      "A snapshot or a schedule of a branch with a parent, or finalizing what wasn't restored: the status of the refusal.",
		Alternatives: []string{"422", "400", "409", "412"},
	})

	SnapshotRange = snapshots.add(&Doubt{
		Key: "snapshot-range", What: "A timestamp in the future, before the project's creation, older than its history, or together with a position; an expiry in the past (statuses, words)",
		Decided:      "400",
		Reading:      "A snapshot of a moment that its project's history doesn't have: the status of the refusal.",
		Alternatives: []string{"400", "422"},
	})

	_ = snapshots.add(&Doubt{Key: "snapshot-limit", What: "One snapshot more than the plan has (status, code; the words are from a report; scheduled ones [don't count](https://neon.com/docs/introduction/plans))", Decided: "422 `SNAPSHOTS_LIMIT_EXCEEDED`"})
	_ = snapshots.add(&Doubt{Key: "free-schedule", What: "A schedule on Free (status; the words are from a report)", Decided: "422"})
	_ = snapshots.add(&Doubt{Key: "snapshot-name", What: "The name of a snapshot without one", Decided: "the branch's name and the time"})
	_ = snapshots.add(&Doubt{Key: "snapshot-slug", What: "A slug that a snapshot of the project has, and one that isn't a slug (statuses, words; that it is unique, and its form, says the published client); the slug of a snapshot without one", Decided: "409, 400; two words and an end"})
	_ = snapshots.add(&Doubt{Key: "snapshot-order", What: "The order of snapshots in the list", Decided: "newest first"})

	SnapshotSize = snapshots.add(&Doubt{
		Key: "snapshot-size", What: "The size of a snapshot",
		Decided:      "32 MiB, known a minute after its creation",
		Reading:      "When the size of a snapshot is told: a minute after its creation, with it, or not at all.",
		Alternatives: []string{"later", "at-once", "never"},
	})
	SnapshotSizeAtOnce = SnapshotSize.played("at-once")
	SnapshotSizeNever  = SnapshotSize.played("never")

	SnapshotWithoutBranch = snapshots.add(&Doubt{
		Key: "snapshot-without-branch", What: "Snapshots of a deleted branch",
		Decided:      "kept: the guide on [versions with snapshots](https://neon.com/docs/ai/ai-database-versioning) deletes replaced branches while older versions can be restored. Without `target_branch_id` a restore is 404 then",
		Reading:      "Whether the snapshots of a branch that is deleted are kept.",
		Alternatives: []string{"kept", "gone"},
	})
	SnapshotWithoutBranchGone = SnapshotWithoutBranch.played("gone")

	UnfinishedRestore = snapshots.add(&Doubt{
		Key: "unfinished-restore", What: "A restored branch before it replaces its target",
		Decided:      "is a root with a `parent_lsn`, and has a read-write compute, as in the [sample](https://neon.com/docs/reference/api/snapshots.md), which is deleted where it gets the target's",
		Reading:      "Whether a branch that is restored from a snapshot has a compute before it replaces its target.",
		Alternatives: []string{"compute", "no-compute"},
	})
	UnfinishedRestoreCompute = UnfinishedRestore.played("compute")

	_ = snapshots.add(&Doubt{Key: "restore-name", What: "`name` of a restore in one step", Decided: "of no use: the branch gets the target's name"})

	ReplacedBranch = snapshots.add(&Doubt{
		Key: "replaced-branch", What: "A replaced branch",
		Decided:      "is named \"… (old)\", loses its protection and its computes, and keeps its children and its schedule",
		Reading:      "What becomes of a replaced branch's schedule: it stays, or goes to the branch in its place.",
		Alternatives: []string{"keeps-schedule", "gives-schedule"},
	})
	ReplacedBranchGivesSchedule = ReplacedBranch.played("gives-schedule")

	_ = snapshots.add(&Doubt{Key: "scheduled-snapshots", What: "Snapshots that a schedule takes", Decided: "none"})
)
