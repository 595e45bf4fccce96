package doubts

var members = &section{title: "Members of organizations"}

// Doubts about members of organizations. Those with a name have a reading or a question.
var (
	MemberRole = members.add(&Doubt{
		Key: "member-role", What: "The role `member`, an older name of `editor` (the [reference](https://neon.com/docs/reference/api/organizations) shows `member`, [newer pages](https://github.com/neondatabase/website/pull/5207) `editor`)",
		Decided:      "comes back as `editor`",
		Reading:      "What members of an organization with the role of an editor are called.",
		Alternatives: []string{"editor", "member"},
		Unasked:      "it would change a member's role",
	})
	MemberRoleMember = MemberRole.played("member")

	WhatRolesMay = members.add(&Doubt{
		Key: "what-roles-may", What: "What `viewer`, `editor` and `collaborator` may not do with projects (status, words; [permissions](https://neon.com/docs/manage/user-permissions): viewers read, administrators alone delete and transfer, collaborators see what is shared with them)",
		Decided:      "403; what they can't see is 404",
		Reading:      "What is more than one's role in the project allows: the status of the refusal.",
		Alternatives: []string{"403", "404"},
		Unasked:      "it takes a second person",
	})

	_ = members.add(&Doubt{Key: "last-admin", What: "Removing the last administrator, or taking the role from it (status, words; that it can't be is [documented](https://neon.com/docs/manage/orgs-api))", Decided: "422"})
	_ = members.add(&Doubt{Key: "members-as-member", What: "Changing members or inviting as no administrator (words)", Decided: "403"})

	MemberPages = members.add(&Doubt{
		Key: "member-pages", What: "Members in one page, where none is asked for; the most in one of a project's",
		Decided: "500",
	})

	_ = members.add(&Doubt{Key: "project-role-defaults", What: "The role in all projects of an organization's `admin`, `editor`, `viewer` and `collaborator`", Decided: "`admin`, `editor`, `viewer` and none"})
	_ = members.add(&Doubt{Key: "project-role-counts", What: "`project_role` of a project's member", Decided: "the higher of the organization's and its own ([documented](https://github.com/neondatabase/website/pull/5207))"})

	CreatorRole = members.add(&Doubt{
		Key: "creator-role", What: "The role of who created a project in it, the \"creator fallback\"",
		Decided:      "none by that alone",
		Reading:      "The role that who created a project has in it by that alone.",
		Alternatives: []string{"none", "admin"},
		Unasked:      "it takes another member",
	})
	CreatorRoleAdmin = CreatorRole.played("admin")

	ProjectRoleBelow = members.add(&Doubt{
		Key: "project-role-below", What: "A role in a project below that of the organization",
		Decided:      "it is kept, and has no effect",
		Reading:      "A role in a project below that of the organization: it is kept without effect, or not kept.",
		Alternatives: []string{"kept", "dropped"},
		Unasked:      "it takes another member",
	})
	ProjectRoleBelowDropped = ProjectRoleBelow.played("dropped")

	_ = members.add(&Doubt{Key: "who-sets-project-roles", What: "Who may change roles in a project (status, words)", Decided: "who administers it, and keys of the organization or the project; others 403"})

	ProjectRoleOfAdmin = members.add(&Doubt{
		Key: "project-role-of-admin", What: "A role below `admin` in a project for an administrator of the organization (status; words of the official provider)",
		Decided:      "422",
		Reading:      "Giving an administrator of the organization a lower role in a project: the status of the refusal.",
		Alternatives: []string{"422", "400", "409", "taken"},
	})
	ProjectRoleOfAdminTaken = ProjectRoleOfAdmin.played("taken")

	OwnProjectRole = members.add(&Doubt{
		Key: "own-project-role", What: "Lowering one's own role in a project, or locking oneself out, without confirming it (status, words; that it [has to be confirmed](https://neon.com/docs/reference/api/projects) is documented)",
		Decided:      "422",
		Reading:      "Lowering one's own role in a project without confirming it: the status of the refusal.",
		Alternatives: []string{"422", "400", "409", "412"},
		Unasked:      "it takes a caller who doesn't administer the organization",
	})

	RotationHints = members.add(&Doubt{
		Key: "rotation-hints", What: "`credential_rotation_recommended`, `org_api_key_rotation_recommended`",
		Decided:      "wherever a role is lowered or taken back",
		Reading:      "Whether taking a role away recommends new passwords and keys.",
		Alternatives: []string{"given", "omitted"},
	})
	RotationHintsGiven = RotationHints.played("given")

	_ = members.add(&Doubt{Key: "roles-of-leavers", What: "Roles in projects that a member had who left", Decided: "gone"})
	_ = members.add(&Doubt{Key: "second-invitation", What: "An invitation for an address that has one, or that is a member's", Decided: "another one"})
)
