package doubts

var snapshots = &section{title: "Snapshots and backup schedules"}

// Doubts about snapshots and backup schedules. Those with a name have a reading or a question.
var (
	SnapshotOperations = snapshots.add("snapshot-operations", "Operations of a snapshot's creation and deletion", "`create_branch` and `timeline_archive` of a hidden branch, as in the [sample](https://neon.com/docs/reference/api/snapshots.md); `delete_timeline` of it; a restore begins with `timeline_unarchive`",
		reads("Whether the operations of a snapshot are those of a hidden branch that is archived, or of the branch that it is taken of.", "hidden-branch", "own-branch"))

	SnapshotOfChild = snapshots.add("snapshot-of-child", "A snapshot or a schedule of a branch with a parent; finalizing what wasn't restored (statuses, words)", "422",
		reads("A snapshot or a schedule of a branch with a parent, or finalizing what wasn't restored: the status of the refusal.", "422", "400", "409", "412"))

	SnapshotRange = snapshots.add("snapshot-range", "A timestamp in the future, before the project's creation, older than its history, or together with a position; an expiry in the past (statuses, words)", "400",
		reads("A snapshot of a moment that its project's history doesn't have: the status of the refusal.", "400", "422"))

	_ = snapshots.add("snapshot-limit", "One snapshot more than the plan has (status, code; the words are from a report; scheduled ones [don't count](https://neon.com/docs/introduction/plans))", "422 `SNAPSHOTS_LIMIT_EXCEEDED`")
	_ = snapshots.add("free-schedule", "A schedule on Free (status; the words are from a report)", "422")
	_ = snapshots.add("snapshot-name", "The name of a snapshot without one", "the branch's name and the time")
	_ = snapshots.add("snapshot-slug", "A slug that a snapshot of the project has, and one that isn't a slug (statuses, words; that it is unique, and its form, says the published client); the slug of a snapshot without one", "409, 400; two words and an end")
	_ = snapshots.add("snapshot-order", "The order of snapshots in the list", "newest first")

	SnapshotSize = snapshots.add("snapshot-size", "The size of a snapshot", "32 MiB, known a minute after its creation",
		reads("When the size of a snapshot is told: a minute after its creation, with it, or not at all.", "later", "at-once", "never"))

	SnapshotWithoutBranch = snapshots.add("snapshot-without-branch", "Snapshots of a deleted branch", "kept: the guide on [versions with snapshots](https://neon.com/docs/ai/ai-database-versioning) deletes replaced branches while older versions can be restored. Without `target_branch_id` a restore is 404 then",
		reads("Whether the snapshots of a branch that is deleted are kept.", "kept", "gone"))

	UnfinishedRestore = snapshots.add("unfinished-restore", "A restored branch before it replaces its target", "is a root with a `parent_lsn`, and has a read-write compute, as in the [sample](https://neon.com/docs/reference/api/snapshots.md), which is deleted where it gets the target's",
		reads("Whether a branch that is restored from a snapshot has a compute before it replaces its target.", "compute", "no-compute"))

	_ = snapshots.add("restore-name", "`name` of a restore in one step", "of no use: the branch gets the target's name")

	ReplacedBranch = snapshots.add("replaced-branch", "A replaced branch", "is named \"… (old)\", loses its protection and its computes, and keeps its children and its schedule",
		reads("What becomes of a replaced branch's schedule: it stays, or goes to the branch in its place.", "keeps-schedule", "gives-schedule"))

	_ = snapshots.add("scheduled-snapshots", "Snapshots that a schedule takes", "none")
)
