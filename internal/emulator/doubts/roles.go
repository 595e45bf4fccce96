package doubts

var roles = &section{title: "Roles and databases"}

// Doubts about roles and databases. Those with a name have a reading or a question.
var (
	RoleNames = roles.add("role-names", "Reserved role names (names known, status and words not)", "400, every name that begins with `pg` included",
		reads("A role with a reserved name: the status of the refusal.", "400", "422"))

	TakenRole = roles.add("taken-role", "A role whose name is taken (status, words)", "409, as for [branches, databases and computes](https://github.com/neondatabase/neon-pkgs/pull/307)",
		reads("A role whose name is taken: the status of the refusal.", "409", "400", "422"))

	_ = roles.add("no-login-password", "`reveal_password` and `reset_password` of a role without login", "404 and 422")
	_ = roles.add("no-login-uri", "Connection URI of a role without login", "without a password")
	_ = roles.add("unstored-passwords", "Connection URIs of a project that stores no passwords, once it is created", "without a password, and none for a new branch")

	SuspendAfterWrite = roles.add("suspend-after-write", "`suspend_compute` after a write, where the compute was active", "it goes on running: the reference's samples have `apply_config` alone; the documentation of 2023 shows a suspension",
		reads("Whether a compute goes on running after roles or databases were written, or is suspended.", "goes-on", "suspended"))

	PatchDatabase = roles.add("patch-database", "A change of a database: operations", "`apply_config`; the [sample](https://neon.com/docs/reference/api/branches.md) has none",
		reads("Whether the answer to a change of a database has its operation.", "apply-config", "untold"))

	_ = roles.add("write-without-compute", "Writes on a branch without a compute", "`apply_config` alone")
	_ = roles.add("password-takes-effect", "The password of a new role, and the old one when it is reset", "lets in, and no longer, from the end of the request's last operation; never where that fails")
	_ = roles.add("sessions-after-reset", "Sessions when a password is reset ([\"connections to the compute endpoint are dropped\"](https://neon.com/docs/reference/api/branches.md)), or a role deleted", "all of the branch's end within a second after the reset, those of a deleted role after its deletion")

	DatabaseNames = roles.add("database-names", "Databases named `postgres`, `template0` or `template1` (status, words)", "400",
		reads("A database with a reserved name: the status of the refusal.", "400", "422"))

	NamesAndOwners = roles.add("names-and-owners", "Deleting a role that owns databases (status, words; that it is refused is [documented](https://neon.com/docs/manage/roles), and 422 was [seen](https://github.com/alchemy-run/distilled/blob/5398049792b6fa88b3af7ba228ae3da166d66636/packages/neon/patches/001-add-error-responses.patch.json) for deletions of roles); database names that are taken ([409](https://github.com/neondatabase/neon-pkgs/pull/307)), names that are too long", "422; 409; 400",
		reads("Deleting a role that owns databases: the status of the refusal.", "422", "400", "409", "412"))

	_ = roles.add("protected-passwords", "Passwords of a protected parent's children", "new ones for all roles with login")
)
