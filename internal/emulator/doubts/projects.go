package doubts

var projects = &section{title: "Projects"}

// Doubts about projects. Those with a name have a reading or a question.
var (
	_ = projects.add("logical-replication-off", "Disabling logical replication (words; that it is 400 is expected by the live tests of [kislerdm/terraform-provider-neon](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_test.go))", "\"disabling logical replication is not allowed\"")
	_ = projects.add("hipaa-off", "Disabling HIPAA (status; the words are in [live tests](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc-org_test.go))", "400")

	_ = projects.add("allowed-ips-invalid", "`allowed_ips` that are neither an address, nor a range, nor a network (status, words)", "400")

	AllowedIPsAlone = projects.add("allowed-ips-alone", "`allowed_ips` with `ips` alone", "replaced as a whole: `protected_branches_only` is false then")

	DefaultPGSettings = projects.add("default-pg-settings", "`default_endpoint_settings.pg_settings` in a PATCH", "replaced as a whole; members of `default_endpoint_settings` that aren't sent stay",
		reads("What a change of default_endpoint_settings.pg_settings does with those that it leaves out: they go, or stay.", "replaced", "merged"))

	_ = projects.add("restore-window", "Changing the restore window (that it is an operation `apply_storage_config` is [documented](https://neon.com/docs/manage/operations))", "the operation is no branch's, and the change is refused while other work runs, unlike others of a project")

	DeleteProtectedProject = projects.add("delete-protected-project", "Deleting a project with a protected branch (status, words; that it is refused is [documented](https://neon.com/docs/guides/protected-branches))", "422",
		reads("Deleting a project with protected branches: the status of the refusal.", "422", "400", "409", "412"))

	_ = projects.add("unknown-region", "A region that doesn't exist", "400")

	Regions = projects.add("regions", "Regions: which an organization has ([\"not all regions are available to all\"](https://neon.com/docs/reference/api/regions)), whether a key for one project may list them", "the eight of the [reference](https://neon.com/docs/reference/api/regions), for every organization and every key, though an organization's was refused with 404 \"not allowed for organization API keys\" in two reports; aws-us-east-1 is the default there, and so for projects without a region, of which some were seen in aws-us-east-2, which is the default of the list that [Neon's command line](https://github.com/neondatabase/neonctl/blob/main/src/commands/link.ts) has for when it can't read them",
		reads("Which regions an organization has: all, or only three of them.", "all", "few"))

	RegionsOfOthers = projects.add("regions-of-others", "Regions of an organization that the key can't see (status, words)", "404 \"organization not found\"",
		reads("Asking for the regions of an organization that the key can't see: the status of the refusal.", "404", "403"))

	_ = projects.add("deleted-projects", "Deleted projects (that they are 404 at once is in a [live test](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_project_test.go))", "gone at once, with their keys; the last 200 are listed as recoverable for seven days")
	_ = projects.add("recover-undeleted", "Recovering a project that isn't deleted, or no longer recoverable (status, words)", "404")
	_ = projects.add("recovered-project", "A recovered project", "as it was deleted, shared as before; its computes are idle, its keys stay revoked")
	_ = projects.add("who-transfers", "Who may transfer projects (of several: all or none)", "an administrator of the source who is a member of the destination ([documented](https://neon.com/docs/manage/orgs-project-transfer)); all are transferred or none")
	_ = projects.add("transfer-by-org-key", "Transfers with an organization's key (status; the [documentation](https://neon.com/docs/manage/orgs-project-transfer) asks for a personal key)", "404, as it sees no other organization")

	ProjectKeyAfterTransfer = projects.add("project-key-after-transfer", "Keys for one project after its transfer (status; they are [valid until the project leaves its organization](https://neon.com/docs/manage/api-keys))", "revoked: 401",
		reads("What keys for one project get after it was transferred: they are revoked, or see no project.", "401", "404").because("it takes a second organization"))

	_ = projects.add("transfer-from-user", "`POST /users/me/projects/transfer` since no project is a user's own", "404 \"project not found\"")

	SecondPermission = projects.add("second-permission", "A permission for an address that has one (status, words)", "409; the case of letters makes no difference",
		reads("Sharing a project with an address that it is shared with: the status of the refusal.", "409", "400", "422"))

	RevokedPermission = projects.add("revoked-permission", "Revoked permissions (that they leave the list is what a [live test](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_project_permission_test.go) takes for granted)", "leave the list; revoking one again is 404",
		reads("Revoked permissions: they leave the list, or stay in it with revoked_at.", "gone", "listed"))

	_ = projects.add("permission-without-account", "A permission for an address that nobody has an account of (granted in a [live test](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_project_permission_test.go))", "of use to who opens one")
	_ = projects.add("delete-shared-project", "Deleting a project that is shared with the caller (status, words; that it can't be is [documented](https://neon.com/docs/manage/projects))", "404")
	_ = projects.add("project-key-permissions", "Permissions and keys for one project", "may see, grant and revoke those of their project")
)
