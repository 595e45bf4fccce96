package doubts

var roles = &section{title: "Roles and databases"}

// Doubts about roles and databases. Those with a name have a reading or a question.
var (
	RoleNames = roles.add(&Doubt{
		Key: "role-names", What: "Reserved role names (names known, status and words not)",
		Decided:      "400, every name that begins with `pg` included",
		Reading:      "A role with a reserved name: the status of the refusal.",
		Alternatives: []string{"400", "422"},
	})

	TakenRole = roles.add(&Doubt{
		Key: "taken-role", What: "A role whose name is taken (status, words)",
		Decided:      "409, as for [branches, databases and computes](https://github.com/neondatabase/neon-pkgs/pull/307)",
		Reading:      "A role whose name is taken: the status of the refusal.",
		Alternatives: []string{"409", "400", "422"},
	})

	_ = roles.add(&Doubt{Key: "no-login-password", What: "`reveal_password` and `reset_password` of a role without login", Decided: "404 and 422"})
	_ = roles.add(&Doubt{Key: "no-login-uri", What: "Connection URI of a role without login", Decided: "without a password"})

	SuspendAfterWrite = roles.add(&Doubt{
		Key: "suspend-after-write", What: "`suspend_compute` after a write, where the compute was active",
		Decided:      "it goes on running: the reference's samples have `apply_config` alone; the documentation of 2023 shows a suspension",
		Reading:      "Whether a compute goes on running after roles or databases were written, or is suspended.",
		Alternatives: []string{"goes-on", "suspended"},
	})
	SuspendAfterWriteSuspended = SuspendAfterWrite.played("suspended")

	PatchDatabase = roles.add(&Doubt{
		Key: "patch-database", What: "A change of a database: operations",
		Decided:      "`apply_config`; the [sample](https://neon.com/docs/reference/api/branches.md) has none",
		Reading:      "Whether the answer to a change of a database has its operation.",
		Alternatives: []string{"apply-config", "untold"},
	})
	PatchDatabaseUntold = PatchDatabase.played("untold")

	_ = roles.add(&Doubt{Key: "write-without-compute", What: "Writes on a branch without a compute", Decided: "`apply_config` alone"})
	_ = roles.add(&Doubt{Key: "password-takes-effect", What: "The password of a new role, and the old one when it is reset", Decided: "lets in, and no longer, from the end of the request's last operation; never where that fails"})
	_ = roles.add(&Doubt{Key: "sessions-after-reset", What: "Sessions when a password is reset ([\"connections to the compute endpoint are dropped\"](https://neon.com/docs/reference/api/branches.md)), or a role deleted", Decided: "all of the branch's end within a second after the reset, those of a deleted role after its deletion"})

	DatabaseNames = roles.add(&Doubt{
		Key: "database-names", What: "Databases named `postgres`, `template0` or `template1` (status, words)",
		Decided:      "400",
		Reading:      "A database with a reserved name: the status of the refusal.",
		Alternatives: []string{"400", "422"},
	})

	NamesAndOwners = roles.add(&Doubt{
		Key: "names-and-owners", What: "Deleting a role that owns databases (status, words; that it is refused is [documented](https://neon.com/docs/manage/roles), and 422 was [seen](https://github.com/alchemy-run/distilled/blob/5398049792b6fa88b3af7ba228ae3da166d66636/packages/neon/patches/001-add-error-responses.patch.json) for deletions of roles); database names that are taken ([409](https://github.com/neondatabase/neon-pkgs/pull/307)), names that are too long",
		Decided:      "422; 409; 400",
		Reading:      "Deleting a role that owns databases: the status of the refusal.",
		Alternatives: []string{"422", "400", "409", "412"},
	})

	_ = roles.add(&Doubt{Key: "protected-passwords", What: "Passwords of a protected parent's children", Decided: "new ones for all roles with login"})
)
