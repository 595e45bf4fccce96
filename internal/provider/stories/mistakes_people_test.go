package stories_test

// mistakenPeople are addresses, members and roles of people that aren't any.
func mistakenPeople(w mistakeWorld) map[string]mistake {
	const nobody = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
	return map[string]mistake{
		"an address that isn't one": {
			config: w.inProject("neon_project_permission", `email = "ada"`), at: "email", value: "got: ada",
			remedy: "must be an email address",
		},
		"an invitation to no address": {
			config: w.inOrg("neon_org_invitation", "email = \"ada\"\nrole = \"member\""), at: "email", value: "got: ada",
			remedy: "must be an email address",
		},
		"a role that no member has": {
			config: w.inOrg("neon_org_member_role", "email = \"max@example.com\"\nrole = \"owner\""), at: "role",
			value: `"owner"`, remedy: `"admin"`,
		},
		"a role for who isn't a member": {
			config: w.inOrg("neon_org_member_role", "email = \"max@example.com\"\nrole = \"admin\""), at: "email",
			value:  "Organization " + w.OrgID + " has no member max@example.com",
			remedy: "invite the person with neon_org_invitation", applying: true,
		},
		"an address in place of a member": {
			config: w.inOrg("neon_org_member_role", "member_id = \"max@example.com\"\nrole = \"admin\""), at: "member_id",
			value:  "got: max@example.com",
			remedy: "must be a UUID",
		},
		"a role for nobody": {
			config: w.inOrg("neon_org_member_role", "role = \"admin\""), at: "[member_id,email]",
			value: "[member_id,email]", remedy: "At least one attribute out of",
		},
		"a project's role for who isn't a member": {
			config: w.inProject("neon_project_member_role", "member_id = \""+nobody+"\"\nrole = \"admin\""), at: "member_id",
			value: "has no member " + nobody, remedy: "neon_org_members", applying: true,
		},
		"an invitation to a member": {
			config: w.inOrg("neon_org_invitation", "email = \"bob@example.com\"\nrole = \"editor\""), at: "email",
			value: "bob@example.com (email) is a member of organization " + w.OrgID, remedy: "neon_org_member_role",
			applying: true,
		},
	}
}
