package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// Mistakes of a first hour: each message names the attribute and the value, and says what
// to write instead.
func TestAccMistakes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main := w.MainBranch(t).ID
	branch := func(more string) string {
		return fmt.Sprintf("resource \"neon_branch\" \"b\" {\n project_id = %q\n name = \"b\"\n %s\n}\n", w.ProjectID, more)
	}
	inBranch := func(kind, branchID, more string) string {
		return fmt.Sprintf("resource %q \"x\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", kind, w.ProjectID, branchID, more)
	}
	uri := func(more string) string {
		return fmt.Sprintf("data \"neon_connection_uri\" \"u\" {\n project_id = %q\n branch_id = %q\n %s\n}\n", w.ProjectID, main, more)
	}
	imported := func(kind, id, body string) string {
		return fmt.Sprintf("import {\n to = %s.x\n id = %q\n}\nresource %q \"x\" {\n %s\n}\n", kind, id, kind, body)
	}
	for name, mistake := range map[string]struct {
		config string
		says   []string
	}{
		"a name in place of a parent": {branch(`parent_id = "main"`), []string{"parent_id", `"main"`, "br-", `data "neon_branch"`, "data.neon_branch.NAME.id"}},
		"an endpoint as parent":       {branch(`parent_id = "ep-calm-lake-12345678"`), []string{"id of a branch", "ep-calm-lake", "id of an endpoint"}},
		"a parent that isn't there":   {branch(`parent_id = "br-calm-lake-12345678"`), []string{"Project " + w.ProjectID + " has no branch br-calm-lake-12345678"}},
		"a branch as project": {
			`data "neon_branches" "b" { project_id = "br-calm-lake-12345678" }`, []string{"project_id", "id of a project", "id of a branch"},
		},
		"an organization's name":      {`data "neon_projects" "p" { org_id = "acme" }`, []string{"org_id", "id of an organization", "org-", `"acme"`}},
		"a project as organization":   {`data "neon_projects" "p" { org_id = "calm-lake-12345678" }`, []string{"org_id", "id of an organization"}},
		"a branch's name for a role":  {inBranch("neon_role", "main", `name = "r"`), []string{"branch_id", `"main"`, `data "neon_branch"`}},
		"a branch as endpoint":        {uri("endpoint_id = \"br-calm-lake-12345678\"\ndatabase_name = \"d\"\nrole_name = \"r\""), []string{"endpoint_id", "id of a branch"}},
		"a database that isn't there": {uri("database_name = \"nope\"\nrole_name = \"neondb_owner\""), []string{"database_name", "Branch " + main + ` has no database "nope"`}},
		"a role that isn't there":     {uri("database_name = \"neondb\"\nrole_name = \"nope\""), []string{"role_name", "Branch " + main + ` has no role "nope"`}},
		"a suspension too short": {
			branch(`endpoints = { a = { type = "read_write", suspend_timeout_seconds = 5 } }`), []string{"suspend_timeout_seconds must be 60 to 604800", "-1 for never", "got: 5"},
		},
		"an endpoint's type":       {branch(`endpoints = { a = { type = "readwrite" } }`), []string{"type", `"read_write"`, `"readwrite"`}},
		"a timeout in words":       {branch(`timeouts = { create = "10 minutes" }`), []string{"timeouts.create", "10m", `"10 minutes"`}},
		"a moment in words":        {branch(`expires_at = "tomorrow"`), []string{"expires_at must be a moment in RFC 3339, such as 2030-01-31T12:00:00Z", `"tomorrow"`}},
		"a moment without a zone":  {branch(`expires_at = "2030-01-31T12:00:00"`), []string{"expires_at must be a moment", "2030-01-31T12:00:00Z"}},
		"a moment that has passed": {branch(`expires_at = "2020-01-31T12:00:00Z"`), []string{"expires_at", "2020-01-31T12:00:00Z", "must be in the future"}},
		"a position in words":      {branch(`parent_lsn = "latest"`), []string{"parent_lsn", "must be a log position"}},
		"no name":                  {inBranch("neon_role", main, `name = ""`), []string{"name"}},
		"a claimable database imported": {
			imported("neon_claimable_database", "abc", `ref = "x"`), []string{"can't be imported", "secret", "neon_project"},
		},
		"swapped ids in an import": {
			imported("neon_branch", main+"/"+w.ProjectID, fmt.Sprintf("project_id = %q\nname = \"main\"", w.ProjectID)), []string{"project_id/branch_id", main},
		},
		"an import without the project": {
			imported("neon_branch", main, fmt.Sprintf("project_id = %q\nname = \"main\"", w.ProjectID)), []string{"project_id/branch_id", "such as"},
		},
		"an address with a path":         {providerBlock(`base_url = "https://console.neon.tech/app"`), []string{"base_url", "path", "https://console.neon.tech"}},
		"an address without a scheme":    {providerBlock(`base_url = "console.neon.tech"`), []string{"base_url", "https://console.neon.tech"}},
		"an address with another scheme": {providerBlock(`base_url = "ftp://console.neon.tech"`), []string{"base_url", "scheme must be https"}},
		"an address without encryption":  {providerBlock(`base_url = "http://console.neon.tech"`), []string{"base_url", "loopback", "https"}},
		"requests of none":               {providerBlock(`requests_per_minute = 0`), []string{"requests_per_minute", "between 1 and 60000"}},
		"a name for the organization":    {providerBlock(`org_id = "acme"`), []string{"org_id", "id of an organization"}},
		"no API key":                     {providerBlock(`api_key = ""`), []string{"api_key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := mistake.config
			if !strings.HasPrefix(config, "provider ") {
				config = w.ProviderConfig() + config
			}
			w.Refuses(t, acctest.Refusal{Config: config, Command: acctest.Plan, Want: acctest.InOrder(mistake.says...)})
		})
	}
}

func providerBlock(setting string) string {
	return "provider \"neon\" {\n " + setting + "\n}\ndata \"neon_branches\" \"b\" { project_id = \"calm-lake-12345678\" }\n"
}
