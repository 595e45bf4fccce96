package emulator

// workReadings are about what is made, changed and deleted, and about the work that this takes.
var workReadings = []Reading{
	statusReading("delete-protected", "Deleting a default or protected branch, or a compute of a protected one", "422", "400", "409", "412"),
	{
		"reads-during-deletion", []string{"gone", "answered"},
		"Reads of a branch or compute whose deletion still runs: they are 404, or answered until it is over.",
	},
	{"failed-creation", []string{"kept", "gone"}, "What becomes of a branch whose creation failed: it stays in the state init, or is gone."},
	statusReading("missing-parent", "A branch of a parent that isn't there", "404", "400", "422"),
	statusReading("parent-timestamp-range", "A branch of a moment that its project's history doesn't have", "400", "422"),
	{
		"delete-backup", []string{"deleted", "refused"},
		"Whether the backup of a root that was restored from another branch can be deleted.",
	},
	{
		"restore-after-snapshot", []string{"restored", "refused"},
		"Whether a branch that was restored from a snapshot can be restored to its own past, and the children of a parent that was restored in the" +
			" last day can be reset.",
	},
	statusReading("snapshot-of-child", "A snapshot or a schedule of a branch with a parent, or finalizing what wasn't restored", "422", "400", "409", "412"),
	statusReading("snapshot-range", "A snapshot of a moment that its project's history doesn't have", "400", "422"),
	statusReading("restricted-actions", "Restoring an anonymized branch, and deleting its read-write compute", "422", "400", "409", "412"),
	statusReading("ordinary-branch", "Masking rules and the anonymization of a branch that isn't an anonymized one", "404", "400", "422"),
	statusReading("anonymize-too-early", "Anonymizing a branch that isn't initialized, or that is being anonymized", "409", "400", "422"),
	statusReading("anonymized-networks", "An anonymized branch in a project with IP Allow or private networking", "422", "400", "412"),
	{"anonymize-answer", []string{"anonymizing", "anonymized"}, "The state in the answer to anonymizing a branch: the one that begins, or already the one that it ends in."},
	{"anonymize-begins", []string{"at-once", "late"}, "When the state of a branch shows that it is anonymized again: at once, or as much later as an operation takes."},
	{"snapshot-size", []string{"later", "at-once", "never"}, "When the size of a snapshot is told: a minute after its creation, with it, or not at all."},
	{"replaced-branch", []string{"keeps-schedule", "gives-schedule"}, "What becomes of a replaced branch's schedule: it stays, or goes to the branch in its place."},
	{"create-disabled", []string{"idle", "started"}, "A compute that is created as disabled: it stays idle without an operation, or is started and suspended."},
	{"compute-sizes-by-default", []string{"quarter", "one"}, "The compute units that a new project's computes have: 0.25, or 1 on plans that cost something."},
	{"newer-fields", []string{"omitted", "told"}, "Whether answers have slug, project_slug, branch_slug, hosts and group, which newer samples have."},
	statusReading("role-names", "A role with a reserved name", "400", "422"),
	statusReading("taken-role", "A role whose name is taken", "409", "400", "422"),
	statusReading("database-names", "A database with a reserved name", "400", "422"),
	statusReading("names-and-owners", "Deleting a role that owns databases", "422", "400", "409", "412"),
	{"key-names", []string{"any", "once"}, "Whether keys can have the name of another, or are refused with 409."},
	{"after-failed", []string{"cancelled", "run"}, "What becomes of the operations of a request after one of them has failed: they are cancelled, or run."},
	statusReading("claimable-expired", "Reading a claimable database that has expired", "404", "400", "410"),
	{"claim-window", []string{"72h", "24h"}, "How long a database of the older claimable API can be claimed: until it expires, or for 24 hours."},
	{
		"claimable-connection", []string{"kept", "rotated"},
		"The password in the connection strings of a database of the older claimable API after its claim: it goes on working, or is replaced.",
	},
	{
		"claimable-neon-expired", []string{"project-expired", "invalid-grant"},
		"What Claimable Neon answers an assertion whose project has expired: 410 `project_expired`, or 400 `invalid_grant`.",
	},
	{"claimable-expires-at", []string{"told", "null"}, "expires_at of a claimable database after it was claimed."},
}
