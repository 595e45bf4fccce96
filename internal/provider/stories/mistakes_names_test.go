package stories_test

import (
	"fmt"
	"strings"
)

// mistakenNames are names that are taken, kept by Neon, or of nothing.
func mistakenNames(w mistakeWorld) map[string]mistake {
	const otherwise = "If another resource of this configuration has that name, choose another"
	named := func(kind, more string) string { return w.inBranch(kind, w.main, more) }
	long := strings.Repeat("n", 64)
	twice := named("neon_role", `name = "twice"`)
	return map[string]mistake{
		"no name":     {config: named("neon_role", `name = ""`), at: "name must be", value: `got: ""`, remedy: "1 to 63 bytes"},
		"a long name": {config: named("neon_role", fmt.Sprintf("name = %q", long)), at: "name must be", value: "which has 64", remedy: "1 to 63 bytes long"},
		"a long name of a database": {
			config: named("neon_database", fmt.Sprintf("name = %q\nowner_name = \"neondb_owner\"", long)), at: "name",
			value: "got: 64", remedy: "between 1 and 63",
		},
		"a name that Neon keeps": {
			config: named("neon_role", `name = "neon_superuser"`), at: "name", value: `"neon_superuser"`,
			remedy: "configure another value", applying: true,
		},
		"a name that PostgreSQL keeps": {config: named("neon_role", `name = "pg_app"`), at: "name", value: `"pg_app"`, remedy: "Choose another name"},
		"PostgreSQL's own database": {
			config: named("neon_database", "name = \"template0\"\nowner_name = \"neondb_owner\""), at: "name",
			value:  `"template0"`,
			remedy: "configure another value", applying: true,
		},
		"an owner that isn't there": {
			config: named("neon_database", "name = \"d\"\nowner_name = \"nobody\""), at: "owner_name",
			value:  `has the roles "neondb_owner"`,
			remedy: "owner_name = neon_role.NAME.name", applying: true,
		},
		"a role that is there": {
			config: named("neon_role", `name = "neondb_owner"`), at: "name", value: `a role "neondb_owner" already`,
			remedy: `id = "` + w.ProjectID + "/" + w.main + `/neondb_owner"`, applying: true,
		},
		"two resources for one role": {
			config: twice + strings.ReplaceAll(twice, `"x"`, `"y"`), at: "name", value: "Two resources for one role",
			remedy: "Remove one of them, or have them name different ones", applying: true,
		},
		"a database that is there": {
			config: named("neon_database", "name = \"neondb\"\nowner_name = \"neondb_owner\""), at: "name",
			value:  `a database "neondb" already`,
			remedy: otherwise, applying: true,
		},
		"a branch that is there": {
			config: w.inProject("neon_branch", `name = "child"`), at: "name",
			value:  `already has a branch named "child": ` + w.child,
			remedy: `id = "` + w.ProjectID + "/" + w.child + `"`, applying: true,
		},
		"the default branch again": {
			config: w.inProject("neon_branch", `name = "main"`), at: "name",
			value:  `already has a branch named "main": ` + w.main,
			remedy: "default_branch of neon_project manages", applying: true,
		},
		"two names for one branch": {
			config: imported("neon_project", w.ProjectID, `default_branch = { name = "production" }`) +
				imported("neon_branch", w.ProjectID+"/"+w.main, fmt.Sprintf("project_id = %q\n name = \"main\"", w.ProjectID)),
			at: "Two names for one branch (" + w.main + ")", value: `"production"`,
			remedy: "leave default_branch.name of the neon_project out",
		},
		"no name for a key": {config: resourceBlock("neon_api_key", `name = ""`), at: "name", value: "got: 0", remedy: "between 1 and 64"},
	}
}

// mistakenReads are data sources that ask for what isn't there.
func mistakenReads(w mistakeWorld) map[string]mistake {
	inMain := fmt.Sprintf("branch_id = %q\n", w.main)
	return map[string]mistake{
		"a database that isn't there": {
			config: w.uri("database_name = \"nope\"\nrole_name = \"neondb_owner\""), at: "database_name",
			value: "Branch " + w.main + ` has no database "nope"`, remedy: `has these databases: "neondb"`,
		},
		"a role that isn't there": {
			config: w.uri("database_name = \"neondb\"\nrole_name = \"nope\""), at: "role_name",
			value:  "Branch " + w.main + ` has no role "nope"`,
			remedy: `has these roles: "neondb_owner"`,
		},
		"a branch without an endpoint": {
			config: "data \"neon_connection_uri\" \"x\" {\n project_id = \"" + w.ProjectID + "\"\n branch_id = \"" + w.child +
				"\"\n database_name = \"neondb\"\n role_name = \"neondb_owner\"\n}\n",
			at: "branch_id", value: "Branch " + w.child + " has no read_write endpoint",
			remedy: `endpoints = { primary = { type = "read_write" } }`,
		},
		"an endpoint of another branch": {
			config: w.read("neon_connection_uri", "branch_id = \""+w.child+"\"\nendpoint_id = \""+w.endpoint+
				"\"\ndatabase_name = \"neondb\"\nrole_name = \"neondb_owner\""),
			at: "endpoint_id " + w.endpoint, value: "is an endpoint of branch " + w.main + ", and not of branch_id " + w.child,
			remedy: "Leave branch_id out",
		},
		"a role to read": {
			config: w.read("neon_role", inMain+`name = "nope"`), at: "name", value: "Branch " + w.main + ` has no role "nope"`,
			remedy: "The data source neon_roles lists",
		},
		"a database to read": {
			config: w.read("neon_database", inMain+`name = "nope"`), at: "name",
			value:  "Branch " + w.main + ` has no database "nope"`,
			remedy: "The data source neon_databases lists",
		},
		"a schema of no database": {
			config: w.read("neon_branch_schema", inMain+`database_name = "nope"`), at: "database_name",
			value: `has no database "nope"`, remedy: "neon_databases",
		},
		"roles of no branch": {
			config: w.read("neon_roles", `branch_id = "`+noSuchBranch+`"`), at: "branch_id",
			value: "has no branch " + noSuchBranch, remedy: "neon_branches",
		},
		"a branch by its name": {
			config: w.read("neon_branch", `name = "Main"`), at: "name", value: `no branch named "Main"`,
			remedy: "Names must match exactly",
		},
		"a branch by nothing": {config: w.read("neon_branch", ""), at: "[id,name]", value: "No attribute specified", remedy: "one (and only one)"},
		"an endpoint to read": {
			config: w.read("neon_endpoint", `id = "ep-calm-lake-12345678"`), at: "id",
			value: "has no endpoint ep-calm-lake-12345678", remedy: "neon_endpoints",
		},
		"an operation to read": {
			config: w.read("neon_operation", `id = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"`), at: "id",
			value: "has no operation 0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0", remedy: "neon_operations",
		},
	}
}
