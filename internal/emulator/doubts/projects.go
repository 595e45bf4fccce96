package doubts

var projects = &section{title: "Projects"}

// Doubts about projects. Those with a name have a reading or a question.
var (
	_ = projects.add(&Doubt{Key: "logical-replication-off", What: "Disabling logical replication (words; that it is 400 is expected by the live tests of [kislerdm/terraform-provider-neon](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_test.go))", Decided: "\"disabling logical replication is not allowed\""})
	_ = projects.add(&Doubt{Key: "hipaa-off", What: "Disabling HIPAA (status; the words are in [live tests](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc-org_test.go))", Decided: "400"})

	AllowedIPsAlone = projects.add(&Doubt{
		Key: "allowed-ips-alone", What: "`allowed_ips` with `ips` alone",
		Decided: "replaced as a whole: `protected_branches_only` is false then",
	})

	DefaultPGSettings = projects.add(&Doubt{
		Key: "default-pg-settings", What: "`default_endpoint_settings.pg_settings` in a PATCH",
		Decided:      "replaced as a whole; members of `default_endpoint_settings` that aren't sent stay",
		Reading:      "What a change of default_endpoint_settings.pg_settings does with those that it leaves out: they go, or stay.",
		Alternatives: []string{"replaced", "merged"},
	})
	DefaultPGSettingsMerged = DefaultPGSettings.played("merged")

	DeleteProtectedProject = projects.add(&Doubt{
		Key: "delete-protected-project", What: "Deleting a project with a protected branch (status, words; that it is refused is [documented](https://neon.com/docs/guides/protected-branches))",
		Decided:      "422",
		Reading:      "Deleting a project with protected branches: the status of the refusal.",
		Alternatives: []string{"422", "400", "409", "412"},
	})

	_ = projects.add(&Doubt{Key: "unknown-region", What: "A region that doesn't exist", Decided: "400"})

	Regions = projects.add(&Doubt{
		Key: "regions", What: "Regions: which an organization has ([\"not all regions are available to all\"](https://neon.com/docs/reference/api/regions)), whether a key for one project may list them",
		Decided:      "the eight of the [reference](https://neon.com/docs/reference/api/regions), for every organization and every key, though an organization's was refused with 404 \"not allowed for organization API keys\" in two reports; aws-us-east-1 is the default there, and so for projects without a region, of which some were seen in aws-us-east-2, which is the default of the list that [Neon's command line](https://github.com/neondatabase/neonctl/blob/main/src/commands/link.ts) has for when it can't read them",
		Reading:      "Which regions an organization has: all, or only three of them.",
		Alternatives: []string{"all", "few"},
	})
	RegionsFew = Regions.played("few")

	RegionsOfOthers = projects.add(&Doubt{
		Key: "regions-of-others", What: "Regions of an organization that the key can't see (status, words)",
		Decided:      "404 \"organization not found\"",
		Reading:      "Asking for the regions of an organization that the key can't see: the status of the refusal.",
		Alternatives: []string{"404", "403"},
	})

	_ = projects.add(&Doubt{Key: "deleted-projects", What: "Deleted projects (that they are 404 at once is in a [live test](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_project_test.go))", Decided: "gone at once, with their keys; the last 200 are listed as recoverable for seven days"})
	_ = projects.add(&Doubt{Key: "recover-undeleted", What: "Recovering a project that isn't deleted, or no longer recoverable (status, words)", Decided: "404"})
	_ = projects.add(&Doubt{Key: "recovered-project", What: "A recovered project", Decided: "as it was deleted, shared as before; its computes are idle, its keys stay revoked"})
	_ = projects.add(&Doubt{Key: "who-transfers", What: "Who may transfer projects (of several: all or none)", Decided: "an administrator of the source who is a member of the destination ([documented](https://neon.com/docs/manage/orgs-project-transfer)); all are transferred or none"})
	_ = projects.add(&Doubt{Key: "transfer-by-org-key", What: "Transfers with an organization's key (status; the [documentation](https://neon.com/docs/manage/orgs-project-transfer) asks for a personal key)", Decided: "404, as it sees no other organization"})

	ProjectKeyAfterTransfer = projects.add(&Doubt{
		Key: "project-key-after-transfer", What: "Keys for one project after its transfer (status; they are [valid until the project leaves its organization](https://neon.com/docs/manage/api-keys))",
		Decided:      "revoked: 401",
		Reading:      "What keys for one project get after it was transferred: they are revoked, or see no project.",
		Alternatives: []string{"401", "404"},
		Unasked:      "it takes a second organization",
	})
	ProjectKeyAfterTransfer401 = ProjectKeyAfterTransfer.played("401")

	_ = projects.add(&Doubt{Key: "transfer-from-user", What: "`POST /users/me/projects/transfer` since no project is a user's own", Decided: "404 \"project not found\""})

	SecondPermission = projects.add(&Doubt{
		Key: "second-permission", What: "A permission for an address that has one (status, words)",
		Decided:      "409; the case of letters makes no difference",
		Reading:      "Sharing a project with an address that it is shared with: the status of the refusal.",
		Alternatives: []string{"409", "400", "422"},
	})

	RevokedPermission = projects.add(&Doubt{
		Key: "revoked-permission", What: "Revoked permissions (that they leave the list is what a [live test](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_project_permission_test.go) takes for granted)",
		Decided:      "leave the list; revoking one again is 404",
		Reading:      "Revoked permissions: they leave the list, or stay in it with revoked_at.",
		Alternatives: []string{"gone", "listed"},
	})
	RevokedPermissionListed = RevokedPermission.played("listed")

	_ = projects.add(&Doubt{Key: "permission-without-account", What: "A permission for an address that nobody has an account of (granted in a [live test](https://github.com/kislerdm/terraform-provider-neon/blob/master/provider/acc_project_permission_test.go))", Decided: "of use to who opens one"})
	_ = projects.add(&Doubt{Key: "delete-shared-project", What: "Deleting a project that is shared with the caller (status, words; that it can't be is [documented](https://neon.com/docs/manage/projects))", Decided: "404"})
	_ = projects.add(&Doubt{Key: "project-key-permissions", What: "Permissions and keys for one project", Decided: "may see, grant and revoke those of their project"})
)
