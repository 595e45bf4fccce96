package stories_test

import (
	"fmt"
	"strings"
)

const noSuchBranch = "br-calm-lake-12345678"

// mistakenIDs are ids of another kind, names in their place, and ids of nothing.
func mistakenIDs(w mistakeWorld) map[string]mistake {
	project := w.ProjectID
	return map[string]mistake{
		"a name in place of a parent": {
			config: w.branch(`parent_id = "main"`), at: "parent_id must be the id of a branch, such as br-", value: `"main"`,
			remedy: `and parent_id is then data.neon_branch.NAME.id`,
		},
		"an endpoint as parent": {
			config: w.branch(`parent_id = "ep-calm-lake-12345678"`), at: "parent_id",
			value:  `"ep-calm-lake-12345678", which is the id of an endpoint`,
			remedy: "must be the id of a branch",
		},
		"a parent that isn't there": {
			config: w.branch(`parent_id = "` + noSuchBranch + `"`), at: "parent_id",
			value:  "Project " + project + " has no branch " + noSuchBranch,
			remedy: "A parent is a branch of the same project. The data source neon_branches lists", applying: true,
		},
		"a parent of its own": {
			config: w.branch(`parent_id = ""`), at: "parent_id", value: `got: ""`, remedy: "such as br-",
		},
		"a branch as project": {
			config: `data "neon_branches" "b" { project_id = "br-calm-lake-12345678" }`, at: "project_id",
			value:  "which is the id of a branch",
			remedy: "must be the id of a project, such as",
		},
		"a project's name": {
			config: `data "neon_branches" "b" { project_id = "My Shop" }`, at: "project_id", value: `"My Shop"`,
			remedy: `data "neon_project" "NAME"`,
		},
		"a project that isn't there": {
			config: w.branchOf("calm-lake-12345678"), at: "project_id",
			value:  "Project calm-lake-12345678 can't be seen with this API key",
			remedy: "the data source neon_project finds by its name", applying: true,
		},
		"a project of another provider block": {
			config: w.branchOf("calm-lake-12345678"), at: "project_id", value: "calm-lake-12345678",
			remedy: "set provider = neon.ALIAS here", applying: true,
		},
		"a project to read that isn't there": {
			config: `data "neon_branches" "b" { project_id = "calm-lake-12345678" }`, at: "project_id",
			value:  "Project calm-lake-12345678",
			remedy: "a key that is allowed to see the project",
		},
		"a snapshot of a project that isn't there": {
			config: "data \"neon_snapshot\" \"s\" {\n project_id = \"calm-lake-12345678\"\n name = \"s\"\n}", at: "project_id",
			value:  "Project calm-lake-12345678",
			remedy: "a key that is allowed to see the project",
		},
		"an operation of a project that isn't there": {
			config: "data \"neon_operation\" \"o\" {\n project_id = \"calm-lake-12345678\"\n" +
				" id = \"0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0\"\n}", at: "project_id",
			value:  "Project calm-lake-12345678",
			remedy: "a key that is allowed to see the project",
		},
		"an organization's name": {
			config: `data "neon_projects" "p" { org_id = "acme" }`, at: "org_id must be the id of an organization, such as org-",
			value:  `"acme"`,
			remedy: "neon_organizations has the ids",
		},
		"a project as organization": {
			config: `data "neon_projects" "p" { org_id = "calm-lake-12345678" }`, at: "org_id", value: `"calm-lake-12345678"`,
			remedy: "id of an organization",
		},
		"an organization that isn't there": {
			config: resourceBlock("neon_project", `org_id = "org-calm-lake-12345678"`), at: "org_id",
			value:  `"org-calm-lake-12345678"`,
			remedy: "The data source neon_organizations lists", applying: true,
		},
		"projects of no organization": {
			config: `data "neon_projects" "p" { org_id = "org-calm-lake-12345678" }`, at: "org_id",
			value:  `"org-calm-lake-12345678"`,
			remedy: "or from NEON_ORG_ID",
		},
		"no organization": {
			config: resourceBlock("neon_project", `name = "p"`), at: "org_id is required", value: "personal API key",
			remedy: "NEON_ORG_ID", applying: true,
		},
		"a branch's name for a role": {
			config: w.inBranch("neon_role", "main", `name = "r"`), at: "branch_id", value: `"main"`,
			remedy: `data "neon_branch"`,
		},
		"a role in no branch": {
			config: w.inBranch("neon_role", noSuchBranch, `name = "r"`), at: "branch_id", value: "has no branch " + noSuchBranch,
			remedy: "neon_branches", applying: true,
		},
		"a branch as endpoint": {
			config: w.uri("endpoint_id = \"br-calm-lake-12345678\"\ndatabase_name = \"d\"\nrole_name = \"r\""),
			at:     "endpoint_id",
			value:  "which is the id of a branch", remedy: "must be the id of an endpoint, such as ep-",
		},
		"a VPC as its endpoint": {
			config: w.inOrg("neon_vpc_endpoint_assignment",
				"region_id = \"aws-us-east-2\"\nvpc_endpoint_id = \"vpc-0123456789abcdef0\""),
			at: "vpc_endpoint_id", value: `"vpc-0123456789abcdef0"`, remedy: "such as vpce-",
		},
		"a VPC endpoint that isn't assigned": {
			config: w.inProject("neon_vpc_endpoint_restriction", "label = \"l\"\nvpc_endpoint_id = \"vpce-0123456789abcdef0\""),
			at:     "vpc_endpoint_id",
			value:  "vpce-0123456789abcdef0", remedy: "neon_vpc_endpoint_assignment.NAME.vpc_endpoint_id", applying: true,
		},
		"a snapshot of a child": {
			config: w.inBranch("neon_snapshot", w.child, ""), at: "branch_id",
			value:  "Branch " + w.child + " has the parent " + w.main,
			remedy: "set branch_id to such a branch", applying: true,
		},
		"backups of a child": {
			config: w.inBranch("neon_branch_backup_schedule", w.child, `schedule = [{ frequency = "daily", hour = 3 }]`),
			at:     "branch_id",
			value:  "Branch " + w.child + " has the parent " + w.main, remedy: "set branch_id to such a branch", applying: true,
		},
	}
}

func (w mistakeWorld) branchOf(projectID string) string {
	return resourceBlock("neon_branch", fmt.Sprintf("project_id = %q\nname = \"b\"", projectID))
}

// mistakenImports are import ids that aren't any, or of nothing.
func mistakenImports(w mistakeWorld) map[string]mistake {
	branch := fmt.Sprintf("project_id = %q\nname = \"main\"", w.ProjectID)
	role := fmt.Sprintf("project_id = %q\nbranch_id = %q\nname = \"r\"", w.ProjectID, w.main)
	return map[string]mistake{
		"a claimable database imported": {
			config: imported("neon_claimable_database", "abc", `ref = "x"`), at: "A claimable database can't be imported",
			value: "Its id is a secret", remedy: "import that as neon_project",
		},
		"swapped ids in an import": {
			config: imported("neon_branch", w.main+"/"+w.ProjectID, branch), at: "project_id/branch_id",
			value:  `"` + w.main + "/" + w.ProjectID + `"`,
			remedy: `write "` + w.ProjectID + "/" + w.main + `"`,
		},
		"swapped ids in three": {
			config: imported("neon_role", w.main+"/"+w.ProjectID+"/r", role), at: "project_id/branch_id/name",
			value:  `"` + w.main,
			remedy: `write "` + w.ProjectID + "/" + w.main + `/r"`,
		},
		"an import without the project": {
			config: imported("neon_branch", w.main, branch), at: "project_id/branch_id, such as", value: `"` + w.main + `"`,
			remedy: "1 part instead of 2",
		},
		"an import with too many ids": {
			config: imported("neon_project", w.ProjectID+"/"+w.main, ""), at: "imported by its id, such as",
			value:  `"` + w.ProjectID + "/" + w.main + `"`,
			remedy: "2 parts instead of 1",
		},
		"a project imported by its name": {
			config: imported("neon_project", "first", ""), at: "Check the id of the project", value: "Project first",
			remedy: "which the data source neon_project finds by its name",
		},
		"a branch imported by its name": {
			config: imported("neon_branch", w.ProjectID+"/child", branch), at: "project_id/branch_id",
			value:  `"child" can't be its id`,
			remedy: "The data source neon_branches returns the ids",
		},
		"a branch imported as an endpoint": {
			config: imported("neon_endpoint", w.ProjectID+"/"+w.main,
				strings.ReplaceAll(role, "name = \"r\"", "type = \"read_write\"")), at: "project_id/endpoint_id",
			value:  `"` + w.main + `" is the id of a branch`,
			remedy: "neon_endpoints",
		},
		"a role imported that isn't there": {
			config: imported("neon_role", w.ProjectID+"/"+w.main+"/r", role), at: "No such role",
			value:  "Branch " + w.main + ` has no role "r"`,
			remedy: "neon_roles lists those that there are. To create it instead, remove the import block",
		},
		"an API key imported that isn't there": {
			config: imported("neon_api_key", "4711", `name = "ci"`), at: "No such API key", value: "4711",
			remedy: "neon_api_keys",
		},
		"an API key imported by its name": {
			config: imported("neon_api_key", "ci", `name = "ci"`), at: "imported by its id, a whole number", value: `"ci"`,
			remedy: "neon_api_keys",
		},
		"a permission imported by an address": {
			config: imported("neon_project_permission", w.ProjectID+"/max@example.com",
				fmt.Sprintf("project_id = %q\nemail = \"max@example.com\"", w.ProjectID)), at: "project_id/id",
			value:  `"max@example.com"`,
			remedy: "neon_project_permissions",
		},
		"a member imported by an address": {
			config: imported("neon_org_member_role", w.OrgID+"/max@example.com",
				"email = \"max@example.com\"\nrole = \"admin\""), at: "org_id/member_id", value: `"max@example.com"`,
			remedy: "neon_org_members",
		},
	}
}
