package doubts

var branches = &section{title: "Branches"}

// Doubts about branches. Those with a name have a reading or a question.
var (
	SchemaOnlyInitSource = branches.add("schema-only-init-source", "`init_source` of a schema-only branch in answers", "`parent-schema`, without a parent, as one project that looks for such branches has found them; others read what they sent",
		reads("The init_source of a branch that was created as schema-only, in answers.", "parent-schema", "schema-only"))

	ParentSchemaParent = branches.add("parent-schema-parent", "The parent of a branch that was created as `parent-schema`", "it has one, as the [reference](https://neon.com/docs/reference/api/branches.md) calls `schema-only` alone a new root",
		reads("Whether a branch that was created as parent-schema has its parent in answers, or is a root as a schema-only one.", "named", "none"))

	RootParent = branches.add("root-parent", "`parent_lsn` and `parent_timestamp` of a root", "absent, as `parent_id` is",
		reads("Whether a schema-only branch, which has no parent_id, has a parent_lsn.", "absent", "lsn"))

	DeleteFirstBranch = branches.add("delete-first-branch", "Deleting the first branch once another is the default", "allowed; the [reference](https://neon.com/docs/reference/api/branches.md) says that a root branch can't be deleted, and neondatabase/website#1911 that a default one can once another is",
		reads("What the deletion of a project's first branch comes to once another is the default.", "deleted", "refused"))

	DeleteProtected = branches.add("delete-protected", "Deleting a default or protected branch, or a compute of a protected one (words; the latter's status too; deletions of branches were [seen](https://github.com/alchemy-run/distilled/blob/5398049792b6fa88b3af7ba228ae3da166d66636/packages/neon/patches/001-add-error-responses.patch.json) to be refused with 422)", "422",
		reads("Deleting a default or protected branch, or a compute of a protected one: the status of the refusal.", "422", "400", "409", "412"))

	Protecting = branches.add("protecting", "Protecting and unprotecting", "takes effect with the answer, starts no operation, and isn't refused while others run; there is an action `timeline_update_protected_config`",
		reads("Whether protecting a branch, and ending that, starts timeline_update_protected_config.", "alone", "operation"))

	_ = branches.add("renaming", "Renaming a branch or changing its expiry", "the same")

	ExpiryRefused = branches.add("expiry-refused", "An expiry on a default, protected or parent branch, a child of a branch that expires (statuses, words)", "422")

	ExpiryRange = branches.add("expiry-range", "An expiry in the past, or more than 30 days ahead (statuses, words)", "400")

	ExpiredBranch = branches.add("expired-branch", "A branch whose time has come", "deleted in that second with its computes, and gone from every read; a background job does it, which [may be late](https://neon.com/docs/reference/api/branches.md)",
		reads("Whether a branch is deleted in the second that it expires in, or by a job a minute later.", "at-once", "late"))

	ReadsDuringDeletion = branches.add("reads-during-deletion", "Reads of a branch or compute whose deletion still runs", "404 at once, as [live tests](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_branch_test.go) have it",
		reads("Reads of a branch or compute whose deletion still runs: they are 404, or answered until it is over.", "gone", "answered"))

	_ = branches.add("parent-lsn-range", "A position in the log from before the project's history, or from the future, "+
		"of a branch, a restore, a snapshot or a schema",
		"refused as a timestamp is; one from before the project's creation is accepted, such as `0/1E88480`: the "+
			"emulator's positions begin far above those that documentation shows")
	_ = branches.add("include-deleted", "`include_deleted` of the list of branches (the description has it, and "+
		"`recovery` of a branch; the call that recovers one was withdrawn)",
		"changes nothing: a deleted branch is in no list, as for who doesn't have the preview that it is part of")
	_ = branches.add("child-of-unready", "A child of a parent that is still created, where no lock is in the way", "422 \"branch not ready yet\"")

	ParentTimestampRange = branches.add("parent-timestamp-range", "`parent_timestamp` in the future, before the project's creation, older than the project's history, or together with `parent_lsn` (statuses, words)", "400 (Neon has a reason `WRONG_LSN_OR_TIMESTAMP`: `proxy/src/control_plane/messages.rs` of neondatabase/neon); one before the parent's creation is accepted",
		reads("A branch of a moment that its project's history doesn't have: the status of the refusal.", "400", "422"))

	SchemaOnlyWithDataAPI = branches.add("schema-only-with-data-api", "A schema-only branch of one with the Data API's role `anonymous`", "created; one project met 412 (\"legacy web access role\")",
		reads("Whether a schema-only branch of one that has the Data API's role anonymous is created, or refused with 412.", "created", "refused").because("it takes the Data API"))

	CreationOperations = branches.add("creation-operations", "Operations of a branch's creation", "`create_branch`, `timeline_update_protected_config`, as in the [sample](https://neon.com/docs/reference/api/branches.md), and `start_compute`",
		reads("Whether the creation of a branch has the operation timeline_update_protected_config too.", "protected-config", "plain"))

	BranchOrigin = branches.add("branch-origin", "How an answer says where a branch begins", "the one to the creation by `parent_lsn` alone, later ones by `parent_timestamp` too, which is the parent's last change and not what was asked for: [samples of the reference](https://neon.com/docs/reference/api/branches.md), and `content/docs/ai/ai-rules-neon-api.md` of neondatabase/website",
		reads("How answers say where a branch begins: by parent_lsn at the creation, and later by the parent's last change too; by parent_lsn, and by the parent_timestamp that was asked for; or by both at once.", "late", "asked", "always"))

	AskedLSN = branches.add("asked-lsn", "A `parent_lsn` that was asked for, in answers", "rounded up to eight bytes, as the storage does before it branches (`pageserver/src/tenant.rs` of neondatabase/neon)",
		reads("The parent_lsn of a branch that was asked for, in answers: rounded up to eight bytes, or as it was asked for.", "rounded", "asked"))

	FailedCreation = branches.add("failed-creation", "A branch whose creation failed or was cancelled", "stays in the state `init`, and can be deleted",
		reads("What becomes of a branch whose creation failed: it stays in the state init, or is gone.", "kept", "gone").because("nobody can make Neon's operations fail"))

	MissingParent = branches.add("missing-parent", "A parent that isn't there (words)", "404",
		reads("A branch of a parent that isn't there: the status of the refusal.", "404", "400", "422"))

	RestoreOperations = branches.add("restore-operations", "Restoring: operations", "`suspend_compute` for each running compute, `create_branch`, `delete_timeline`, as in the [sample](https://neon.com/docs/reference/api/branches/restore-project-branch.md); `current_state` is `resetting` meanwhile",
		reads("Whether a restore suspends the branch's running computes first, or restarts them after it.", "suspend", "restart"))

	_ = branches.add("restore-refused", "Restoring a protected branch, or from one that expires; a missing `preserve_under_name` where source and branch are the same (statuses, words)", "422")
	_ = branches.add("restore-range", "Restoring with both `source_lsn` and `source_timestamp`, to the future, or to a moment before the project's creation or older than its history; a missing position where source and branch are the same (statuses, words)", "400")

	RestoreChildToPast = branches.add("restore-child-to-past", "Restoring a branch that has a parent to its own past", "allowed, as Neon's own tests did (`test_runner/random_ops` of neondatabase/neon); [plans](https://neon.com/docs/introduction/plans) have it for roots alone since 2026-03",
		reads("What the restore of a branch that has a parent to its own past comes to.", "restored", "refused"))

	RestoredParent = branches.add("restored-parent", "Parent of a restored branch", "a root stays one, apart from its backup, as the documentation of branch restore says; else the backup where there is one, or the source",
		reads("Whether a root that was restored with a backup stays a root, or gets the backup as its parent.", "separate-root", "backup"))

	BackupAppears = branches.add("backup-appears", "GET of a restored branch's backup", "answers at once; Neon's own tests met a 404 for a moment (`fixtures/neon_api.py` of neondatabase/neon, LKB-279)",
		reads("Whether the backup of a restored branch can be read by its id at once, or is 404 until the restore is over.", "at-once", "late").because("it lasts a moment, if at all"))

	_ = branches.add("archived-branch", "A branch that was created as archived", "is `archived` once it is ready, and `ready` as soon as it has a compute; branches and snapshots of it are made as of any other")
	_ = branches.add("backup-place", "Place of the backup", "where the branch was; it is neither protected nor does it expire")
	_ = branches.add("restored-contents", "Databases and roles of a restored branch", "its source's; ids and passwords of those that it had are kept")
	_ = branches.add("failed-restore", "A restore that failed", "the branch stays in the state `resetting`, with the data that it had")

	DeleteBackup = branches.add("delete-backup", "Deleting the backup of a root that was restored from another branch", "allowed; the documentation of branch restore of 2025 says that it [can't be](https://neon.com/docs/guides/branch-restore)",
		reads("Whether the backup of a root that was restored from another branch can be deleted.", "deleted", "refused"))

	RestoreAfterSnapshot = branches.add("restore-after-snapshot", "Restoring a branch that came from a snapshot to its own past, or resetting the children of a parent that was restored within a day", "allowed; [both are refused](https://github.com/neondatabase/website/pull/4204) by newer pages (status, words)",
		reads("Whether a branch that was restored from a snapshot can be restored to its own past, and the children of a parent that was restored in the last day can be reset.", "restored", "refused"))

	RestrictedActions = branches.add("restricted-actions", "Restoring an anonymized branch, and deleting its read-write compute (status; the words are in a [sample](https://neon.com/docs/workflows/data-anonymization-api))", "422",
		reads("Restoring an anonymized branch, and deleting its read-write compute: the status of the refusal.", "422", "400", "409", "412"))

	OrdinaryBranch = branches.add("ordinary-branch", "Masking rules and the anonymization of a branch that isn't an anonymized one (status, words)", "404",
		reads("Masking rules and the anonymization of a branch that isn't an anonymized one: the status of the refusal.", "404", "400", "422"))

	AnonymizeTooEarly = branches.add("anonymize-too-early", "Anonymizing a branch that isn't initialized, or while it is anonymized (status, words; that it is refused is in the description)", "409",
		reads("Anonymizing a branch that isn't initialized, or that is being anonymized: the status of the refusal.", "409", "400", "422"))

	AnonymizedNetworks = branches.add("anonymized-networks", "An anonymized branch in a project with IP Allow or private networking (status, words; that there can't be one is [documented](https://neon.com/docs/workflows/data-anonymization))", "422",
		reads("An anonymized branch in a project with IP Allow or private networking: the status of the refusal.", "422", "400", "412"))

	_ = branches.add("anonymized-annotation", "`annotation_value` of an anonymized branch in answers (Neon's command line knows one by `anonymized`)", "the one that was sent, and `anonymized` beside it")

	AnonymizeAnswer = branches.add("anonymize-answer", "The state in the answer to anonymizing a branch (the [sample](https://neon.com/docs/workflows/data-anonymization-api) has `anonymized`)", "`anonymizing`",
		reads("The state in the answer to anonymizing a branch: the one that begins, or already the one that it ends in.", "anonymizing", "anonymized"))

	AnonymizeBegins = branches.add("anonymize-begins", "When the state shows that a branch is anonymized again", "at once",
		reads("When the state of a branch shows that it is anonymized again: at once, or as much later as an operation takes.", "at-once", "late"))

	_ = branches.add("anonymized-computes", "Computes that are asked for with an anonymized branch", "created as asked, with a read-write one where none is, all with the library `anon` alone")

	MaskingRules = branches.add("masking-rules", "Masking rules that can't be: with a function and a value, with neither, two for a column (statuses, words); when a column is found not to be there", "400 each; when data is masked, of which none is then")

	_ = branches.add("anonymized-child", "A branch of an anonymized branch", "an ordinary one, with the masked data")
	_ = branches.add("anonymized-past", "A branch that begins in the past of an anonymized one, from before its data was masked", "has the masked data. The provider refuses to ask for one")
)
