package doubts

var branches = &section{title: "Branches"}

// Doubts about branches. Those with a name have a reading or a question.
var (
	SchemaOnlyInitSource = branches.add(&Doubt{
		Key: "schema-only-init-source", What: "`init_source` of a schema-only branch in answers",
		Decided:      "`parent-schema`, without a parent, as one project that looks for such branches has found them; others read what they sent",
		Reading:      "The init_source of a branch that was created as schema-only, in answers.",
		Alternatives: []string{"parent-schema", "schema-only"},
	})
	SchemaOnlyInitSourceParentSchema = SchemaOnlyInitSource.played("parent-schema")

	ParentSchemaParent = branches.add(&Doubt{
		Key: "parent-schema-parent", What: "The parent of a branch that was created as `parent-schema`",
		Decided:      "it has one, as the [reference](https://neon.com/docs/reference/api/branches.md) calls `schema-only` alone a new root",
		Reading:      "Whether a branch that was created as parent-schema has its parent in answers, or is a root as a schema-only one.",
		Alternatives: []string{"named", "none"},
	})
	ParentSchemaParentNone = ParentSchemaParent.played("none")

	RootParent = branches.add(&Doubt{
		Key: "root-parent", What: "`parent_lsn` and `parent_timestamp` of a root",
		Decided:      "absent, as `parent_id` is",
		Reading:      "Whether a schema-only branch, which has no parent_id, has a parent_lsn.",
		Alternatives: []string{"absent", "lsn"},
	})
	RootParentLSN = RootParent.played("lsn")

	DeleteFirstBranch = branches.add(&Doubt{
		Key: "delete-first-branch", What: "Deleting the first branch once another is the default",
		Decided:      "allowed; the [reference](https://neon.com/docs/reference/api/branches.md) says that a root branch can't be deleted, and neondatabase/website#1911 that a default one can once another is",
		Reading:      "What the deletion of a project's first branch comes to once another is the default.",
		Alternatives: []string{"deleted", "refused"},
	})
	DeleteFirstBranchRefused = DeleteFirstBranch.played("refused")

	DeleteProtected = branches.add(&Doubt{
		Key: "delete-protected", What: "Deleting a default or protected branch, or a compute of a protected one (words; the latter's status too; deletions of branches were [seen](https://github.com/alchemy-run/distilled/blob/5398049792b6fa88b3af7ba228ae3da166d66636/packages/neon/patches/001-add-error-responses.patch.json) to be refused with 422)",
		Decided:      "422",
		Reading:      "Deleting a default or protected branch, or a compute of a protected one: the status of the refusal.",
		Alternatives: []string{"422", "400", "409", "412"},
	})

	Protecting = branches.add(&Doubt{
		Key: "protecting", What: "Protecting and unprotecting",
		Decided:      "takes effect with the answer, starts no operation, and isn't refused while others run; there is an action `timeline_update_protected_config`",
		Reading:      "Whether protecting a branch, and ending that, starts timeline_update_protected_config.",
		Alternatives: []string{"alone", "operation"},
	})
	ProtectingOperation = Protecting.played("operation")

	_ = branches.add(&Doubt{Key: "renaming", What: "Renaming a branch or changing its expiry", Decided: "the same"})

	ExpiryRefused = branches.add(&Doubt{
		Key: "expiry-refused", What: "An expiry on a default, protected or parent branch, a child of a branch that expires (statuses, words)",
		Decided: "422",
	})

	ExpiryRange = branches.add(&Doubt{
		Key: "expiry-range", What: "An expiry in the past, or more than 30 days ahead (statuses, words)",
		Decided: "400",
	})

	ExpiredBranch = branches.add(&Doubt{
		Key: "expired-branch", What: "A branch whose time has come",
		Decided:      "deleted in that second with its computes, and gone from every read; a background job does it, which [may be late](https://neon.com/docs/reference/api/branches.md)",
		Reading:      "Whether a branch is deleted in the second that it expires in, or by a job a minute later.",
		Alternatives: []string{"at-once", "late"},
	})
	ExpiredBranchLate = ExpiredBranch.played("late")

	ReadsDuringDeletion = branches.add(&Doubt{
		Key: "reads-during-deletion", What: "Reads of a branch or compute whose deletion still runs",
		Decided:      "404 at once, as [live tests](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_branch_test.go) have it",
		Reading:      "Reads of a branch or compute whose deletion still runs: they are 404, or answered until it is over.",
		Alternatives: []string{"gone", "answered"},
	})
	ReadsDuringDeletionGone = ReadsDuringDeletion.played("gone")

	_ = branches.add(&Doubt{Key: "child-of-unready", What: "A child of a parent that is still created, where no lock is in the way", Decided: "422 \"branch not ready yet\""})

	ParentTimestampRange = branches.add(&Doubt{
		Key: "parent-timestamp-range", What: "`parent_timestamp` in the future, before the project's creation, older than the project's history, or together with `parent_lsn` (statuses, words)",
		Decided:      "400 (Neon has a reason `WRONG_LSN_OR_TIMESTAMP`: `proxy/src/control_plane/messages.rs` of neondatabase/neon); one before the parent's creation is accepted",
		Reading:      "A branch of a moment that its project's history doesn't have: the status of the refusal.",
		Alternatives: []string{"400", "422"},
	})

	SchemaOnlyWithDataAPI = branches.add(&Doubt{
		Key: "schema-only-with-data-api", What: "A schema-only branch of one with the Data API's role `anonymous`",
		Decided:      "created; one project met 412 (\"legacy web access role\")",
		Reading:      "Whether a schema-only branch of one that has the Data API's role anonymous is created, or refused with 412.",
		Alternatives: []string{"created", "refused"},
		Unasked:      "it takes the Data API",
	})
	SchemaOnlyWithDataAPIRefused = SchemaOnlyWithDataAPI.played("refused")

	CreationOperations = branches.add(&Doubt{
		Key: "creation-operations", What: "Operations of a branch's creation",
		Decided:      "`create_branch`, `timeline_update_protected_config`, as in the [sample](https://neon.com/docs/reference/api/branches.md), and `start_compute`",
		Reading:      "Whether the creation of a branch has the operation timeline_update_protected_config too.",
		Alternatives: []string{"protected-config", "plain"},
	})
	CreationOperationsProtectedConfig = CreationOperations.played("protected-config")

	BranchOrigin = branches.add(&Doubt{
		Key: "branch-origin", What: "How an answer says where a branch begins",
		Decided:      "the one to the creation by `parent_lsn` alone, later ones by `parent_timestamp` too, which is the parent's last change and not what was asked for: [samples of the reference](https://neon.com/docs/reference/api/branches.md), and `content/docs/ai/ai-rules-neon-api.md` of neondatabase/website",
		Reading:      "How answers say where a branch begins: by parent_lsn at the creation, and later by the parent's last change too; by parent_lsn, and by the parent_timestamp that was asked for; or by both at once.",
		Alternatives: []string{"late", "asked", "always"},
	})
	BranchOriginLate  = BranchOrigin.played("late")
	BranchOriginAsked = BranchOrigin.played("asked")

	AskedLSN = branches.add(&Doubt{
		Key: "asked-lsn", What: "A `parent_lsn` that was asked for, in answers",
		Decided:      "rounded up to eight bytes, as the storage does before it branches (`pageserver/src/tenant.rs` of neondatabase/neon)",
		Reading:      "The parent_lsn of a branch that was asked for, in answers: rounded up to eight bytes, or as it was asked for.",
		Alternatives: []string{"rounded", "asked"},
	})
	AskedLSNRounded = AskedLSN.played("rounded")

	FailedCreation = branches.add(&Doubt{
		Key: "failed-creation", What: "A branch whose creation failed or was cancelled",
		Decided:      "stays in the state `init`, and can be deleted",
		Reading:      "What becomes of a branch whose creation failed: it stays in the state init, or is gone.",
		Alternatives: []string{"kept", "gone"},
		Unasked:      "nobody can make Neon's operations fail",
	})
	FailedCreationGone = FailedCreation.played("gone")

	MissingParent = branches.add(&Doubt{
		Key: "missing-parent", What: "A parent that isn't there (words)",
		Decided:      "404",
		Reading:      "A branch of a parent that isn't there: the status of the refusal.",
		Alternatives: []string{"404", "400", "422"},
	})

	RestoreOperations = branches.add(&Doubt{
		Key: "restore-operations", What: "Restoring: operations",
		Decided:      "`suspend_compute` for each running compute, `create_branch`, `delete_timeline`, as in the [sample](https://neon.com/docs/reference/api/branches/restore-project-branch.md); `current_state` is `resetting` meanwhile",
		Reading:      "Whether a restore suspends the branch's running computes first, or restarts them after it.",
		Alternatives: []string{"suspend", "restart"},
	})
	RestoreOperationsRestart = RestoreOperations.played("restart")

	_ = branches.add(&Doubt{Key: "restore-refused", What: "Restoring a protected branch, or from one that expires; a missing `preserve_under_name` where source and branch are the same (statuses, words)", Decided: "422"})
	_ = branches.add(&Doubt{Key: "restore-range", What: "Restoring with both `source_lsn` and `source_timestamp`, to the future, or to a moment before the project's creation or older than its history; a missing position where source and branch are the same (statuses, words)", Decided: "400"})

	RestoreChildToPast = branches.add(&Doubt{
		Key: "restore-child-to-past", What: "Restoring a branch that has a parent to its own past",
		Decided:      "allowed, as Neon's own tests did (`test_runner/random_ops` of neondatabase/neon); [plans](https://neon.com/docs/introduction/plans) have it for roots alone since 2026-03",
		Reading:      "What the restore of a branch that has a parent to its own past comes to.",
		Alternatives: []string{"restored", "refused"},
	})
	RestoreChildToPastRefused = RestoreChildToPast.played("refused")

	RestoredParent = branches.add(&Doubt{
		Key: "restored-parent", What: "Parent of a restored branch",
		Decided:      "a root stays one, apart from its backup, as the documentation of branch restore says; else the backup where there is one, or the source",
		Reading:      "Whether a root that was restored with a backup stays a root, or gets the backup as its parent.",
		Alternatives: []string{"separate-root", "backup"},
	})
	RestoredParentSeparateRoot = RestoredParent.played("separate-root")

	BackupAppears = branches.add(&Doubt{
		Key: "backup-appears", What: "GET of a restored branch's backup",
		Decided:      "answers at once; Neon's own tests met a 404 for a moment (`fixtures/neon_api.py` of neondatabase/neon, LKB-279)",
		Reading:      "Whether the backup of a restored branch can be read by its id at once, or is 404 until the restore is over.",
		Alternatives: []string{"at-once", "late"},
		Unasked:      "it lasts a moment, if at all",
	})
	BackupAppearsLate = BackupAppears.played("late")

	_ = branches.add(&Doubt{Key: "archived-branch", What: "A branch that was created as archived", Decided: "is `archived` once it is ready, and `ready` as soon as it has a compute; branches and snapshots of it are made as of any other"})
	_ = branches.add(&Doubt{Key: "backup-place", What: "Place of the backup", Decided: "where the branch was; it is neither protected nor does it expire"})
	_ = branches.add(&Doubt{Key: "restored-contents", What: "Databases and roles of a restored branch", Decided: "its source's; ids and passwords of those that it had are kept"})
	_ = branches.add(&Doubt{Key: "failed-restore", What: "A restore that failed", Decided: "the branch stays in the state `resetting`, with the data that it had"})

	DeleteBackup = branches.add(&Doubt{
		Key: "delete-backup", What: "Deleting the backup of a root that was restored from another branch",
		Decided:      "allowed; the documentation of branch restore of 2025 says that it [can't be](https://neon.com/docs/guides/branch-restore)",
		Reading:      "Whether the backup of a root that was restored from another branch can be deleted.",
		Alternatives: []string{"deleted", "refused"},
	})
	DeleteBackupRefused = DeleteBackup.played("refused")

	RestoreAfterSnapshot = branches.add(&Doubt{
		Key: "restore-after-snapshot", What: "Restoring a branch that came from a snapshot to its own past, or resetting the children of a parent that was restored within a day",
		Decided:      "allowed; [both are refused](https://github.com/neondatabase/website/pull/4204) by newer pages (status, words)",
		Reading:      "Whether a branch that was restored from a snapshot can be restored to its own past, and the children of a parent that was restored in the last day can be reset.",
		Alternatives: []string{"restored", "refused"},
	})
	RestoreAfterSnapshotRefused = RestoreAfterSnapshot.played("refused")

	RestrictedActions = branches.add(&Doubt{
		Key: "restricted-actions", What: "Restoring an anonymized branch, and deleting its read-write compute (status; the words are in a [sample](https://neon.com/docs/workflows/data-anonymization-api))",
		Decided:      "422",
		Reading:      "Restoring an anonymized branch, and deleting its read-write compute: the status of the refusal.",
		Alternatives: []string{"422", "400", "409", "412"},
	})

	OrdinaryBranch = branches.add(&Doubt{
		Key: "ordinary-branch", What: "Masking rules and the anonymization of a branch that isn't an anonymized one (status, words)",
		Decided:      "404",
		Reading:      "Masking rules and the anonymization of a branch that isn't an anonymized one: the status of the refusal.",
		Alternatives: []string{"404", "400", "422"},
	})

	AnonymizeTooEarly = branches.add(&Doubt{
		Key: "anonymize-too-early", What: "Anonymizing a branch that isn't initialized, or while it is anonymized (status, words; that it is refused is in the description)",
		Decided:      "409",
		Reading:      "Anonymizing a branch that isn't initialized, or that is being anonymized: the status of the refusal.",
		Alternatives: []string{"409", "400", "422"},
	})

	AnonymizedNetworks = branches.add(&Doubt{
		Key: "anonymized-networks", What: "An anonymized branch in a project with IP Allow or private networking (status, words; that there can't be one is [documented](https://neon.com/docs/workflows/data-anonymization))",
		Decided:      "422",
		Reading:      "An anonymized branch in a project with IP Allow or private networking: the status of the refusal.",
		Alternatives: []string{"422", "400", "412"},
	})

	_ = branches.add(&Doubt{Key: "anonymized-annotation", What: "`annotation_value` of an anonymized branch in answers (Neon's command line knows one by `anonymized`)", Decided: "the one that was sent, and `anonymized` beside it"})

	AnonymizeAnswer = branches.add(&Doubt{
		Key: "anonymize-answer", What: "The state in the answer to anonymizing a branch (the [sample](https://neon.com/docs/workflows/data-anonymization-api) has `anonymized`)",
		Decided:      "`anonymizing`",
		Reading:      "The state in the answer to anonymizing a branch: the one that begins, or already the one that it ends in.",
		Alternatives: []string{"anonymizing", "anonymized"},
	})
	AnonymizeAnswerAnonymized = AnonymizeAnswer.played("anonymized")

	AnonymizeBegins = branches.add(&Doubt{
		Key: "anonymize-begins", What: "When the state shows that a branch is anonymized again",
		Decided:      "at once",
		Reading:      "When the state of a branch shows that it is anonymized again: at once, or as much later as an operation takes.",
		Alternatives: []string{"at-once", "late"},
	})
	AnonymizeBeginsLate = AnonymizeBegins.played("late")

	_ = branches.add(&Doubt{Key: "anonymized-computes", What: "Computes that are asked for with an anonymized branch", Decided: "created as asked, with a read-write one where none is, all with the library `anon` alone"})

	MaskingRules = branches.add(&Doubt{
		Key: "masking-rules", What: "Masking rules that can't be: with a function and a value, with neither, two for a column (statuses, words); when a column is found not to be there",
		Decided: "400 each; when data is masked, of which none is then",
	})

	_ = branches.add(&Doubt{Key: "anonymized-child", What: "A branch of an anonymized branch", Decided: "an ordinary one, with the masked data"})
	_ = branches.add(&Doubt{Key: "anonymized-past", What: "A branch that begins in the past of an anonymized one, from before its data was masked", Decided: "has the masked data. The provider refuses to ask for one"})
)
