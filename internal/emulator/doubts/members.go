package doubts

var members = &section{title: "Members of organizations"}

// Doubts about members of organizations. Those with a name have a reading or a question.
var (
	MemberRole = members.add("member-role", "The role `member`, an older name of `editor` (the [reference](https://neon.com/docs/reference/api/organizations) shows `member`, [newer pages](https://github.com/neondatabase/website/pull/5207) `editor`)", "comes back as `editor`",
		reads("What members of an organization with the role of an editor are called.", "editor", "member").because("it would change a member's role"))

	WhatRolesMay = members.add("what-roles-may", "What `viewer`, `editor` and `collaborator` may not do with projects (status, words; [permissions](https://neon.com/docs/manage/user-permissions): viewers read, administrators alone delete and transfer, collaborators see what is shared with them)", "403; what they can't see is 404",
		reads("What is more than one's role in the project allows: the status of the refusal.", "403", "404").because("it takes a second person"))

	_ = members.add("last-admin", "Removing the last administrator, or taking the role from it (status, words; that it can't be is [documented](https://neon.com/docs/manage/orgs-api))", "422")
	_ = members.add("members-as-member", "Changing members or inviting as no administrator (words)", "403")

	MemberPages = members.add("member-pages", "Members in one page, where none is asked for; the most in one of a project's", "500")

	_ = members.add("project-role-defaults", "The role in all projects of an organization's `admin`, `editor`, `viewer` and `collaborator`", "`admin`, `editor`, `viewer` and none")
	_ = members.add("project-role-counts", "`project_role` of a project's member", "the higher of the organization's and its own ([documented](https://github.com/neondatabase/website/pull/5207))")

	CreatorRole = members.add("creator-role", "The role of who created a project in it, the \"creator fallback\"", "none by that alone",
		reads("The role that who created a project has in it by that alone.", "none", "admin").because("it takes another member"))

	ProjectRoleBelow = members.add("project-role-below", "A role in a project below that of the organization", "it is kept, and has no effect",
		reads("A role in a project below that of the organization: it is kept without effect, or not kept.", "kept", "dropped").because("it takes another member"))

	_ = members.add("who-sets-project-roles", "Who may change roles in a project (status, words)", "who administers it, and keys of the organization or the project; others 403")

	ProjectRoleOfAdmin = members.add("project-role-of-admin", "A role below `admin` in a project for an administrator of the organization (status; words of the official provider)", "422",
		reads("Giving an administrator of the organization a lower role in a project: the status of the refusal.", "422", "400", "409", "taken"))

	OwnProjectRole = members.add("own-project-role", "Lowering one's own role in a project, or locking oneself out, without confirming it (status, words; that it [has to be confirmed](https://neon.com/docs/reference/api/projects) is documented)", "422",
		reads("Lowering one's own role in a project without confirming it: the status of the refusal.", "422", "400", "409", "412").because("it takes a caller who doesn't administer the organization"))

	RotationHints = members.add("rotation-hints", "`credential_rotation_recommended`, `org_api_key_rotation_recommended`", "wherever a role is lowered or taken back",
		reads("Whether taking a role away recommends new passwords and keys.", "given", "omitted"))

	_ = members.add("roles-of-leavers", "Roles in projects that a member had who left", "gone")
	_ = members.add("roles-after-transfer", "Roles in a project that was transferred to another organization", "gone")
	_ = members.add("second-invitation", "An invitation for an address that has one, or that is a member's", "another one")
)
