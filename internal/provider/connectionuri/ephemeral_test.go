package connectionuri_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// connectionLines are the attributes of a connection in the first world.
func connectionLines(w *acctest.World, lines ...string) string {
	first := w.Emulator.FirstWorld()
	return fmt.Sprintf("project_id = %q\ndatabase_name = %q\nrole_name = %q\n", w.ProjectID, first.DatabaseName,
		first.RoleName) +
		strings.Join(lines, "\n") + "\n"
}

// Both kinds give what the API gives, for each way to name the connection; the ephemeral one
// both URLs at once, and what they consist of.
func TestAccConnectionURI(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	first := w.Emulator.FirstWorld()
	branch, err := w.Client(t).CreateBranch(t.Context(), w.ProjectID, client.BranchCreate{
		Name: "other", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}, {Type: client.EndpointReadOnly}},
	})
	if err != nil {
		t.Fatal(err)
	}
	readWrite, readOnly := branch.Object.Endpoints[0], branch.Object.Endpoints[1]
	for name, test := range map[string]struct {
		lines []string
		// want is a part of the URL: the host from its beginning.
		want string
	}{
		"the default branch":   {nil, "@" + first.EndpointID + "."},
		"direct":               {[]string{"pooled = false"}, "@" + first.EndpointID + "."},
		"pooled":               {[]string{"pooled = true"}, "@" + first.EndpointID + "-pooler."},
		"a branch":             {[]string{fmt.Sprintf("branch_id = %q", branch.Object.ID)}, "@" + readWrite.ID + "."},
		"an endpoint":          {[]string{fmt.Sprintf("endpoint_id = %q", readOnly.ID)}, "@" + readOnly.ID + "."},
		"an endpoint's pooler": {[]string{fmt.Sprintf("endpoint_id = %q", readOnly.ID), "pooled = true"}, "@" + readOnly.ID + "-pooler."},
		"a branch's own endpoint": {
			[]string{fmt.Sprintf("branch_id = %q", branch.Object.ID), fmt.Sprintf("endpoint_id = %q", readOnly.ID)},
			"@" + readOnly.ID + ".",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lines := connectionLines(w, test.lines...)
			uri := acctest.Matches(`^postgresql://` + first.RoleName + `:[^@]+` + strings.ReplaceAll(test.want, ".", `\.`) +
				`.*/` + first.DatabaseName + `\?`)
			acctest.RunSteps(t, w, resource.TestStep{
				Config: w.ProviderConfig() + acctest.DataBlock("connection_uri", lines),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue("data.neon_connection_uri.test", tfjsonpath.New("uri"), uri),
					statecheck.ExpectSensitiveValue("data.neon_connection_uri.test", tfjsonpath.New("uri")),
				},
			})
			if strings.Contains(lines, "pooled") {
				return // The ephemeral one has both.
			}
			password, err := w.Client(t).GetRolePassword(t.Context(), w.Ref(first.BranchID), first.RoleName)
			if err != nil {
				t.Fatal(err)
			}
			host, exact := strings.Trim(test.want, "@."), knownvalue.StringExact
			pattern := func(host string) knownvalue.Check {
				return acctest.Matches(`^postgresql://` + first.RoleName + `:` + regexp.QuoteMeta(password) + `@` + host + `\..*/` +
					first.DatabaseName + `\?`)
			}
			acctest.RunEphemeral(t, w, resource.TestStep{
				Config: w.ProviderConfig() + "ephemeral \"neon_connection_uri\" \"test\" {\n" + lines + "}\n" +
					acctest.Echoed("ephemeral.neon_connection_uri.test"),
				ConfigStateChecks: []statecheck.StateCheck{
					acctest.Echoes("uri", pattern(host)), acctest.Echoes("uri_pooled", pattern(host+"-pooler")),
					acctest.Echoes("host", acctest.Matches(`^`+host+`\.`)),
					acctest.Echoes("pooler_host", acctest.Matches(`^`+host+`-pooler\.`)),
					acctest.Echoes("port", knownvalue.Int64Exact(5432)), acctest.Echoes("user", exact(first.RoleName)),
					acctest.Echoes("password", exact(password)), acctest.Echoes("database", exact(first.DatabaseName)),
				},
			})
		})
	}
}

func TestAccConnectionURI_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	lines := connectionLines(w)
	replaced := func(attribute, value string) string {
		var changed []string
		for line := range strings.Lines(lines) {
			if strings.HasPrefix(line, attribute+" ") {
				line = fmt.Sprintf("%s = %q\n", attribute, value)
			}
			changed = append(changed, line)
		}
		return strings.Join(changed, "")
	}
	for name, test := range map[string]struct {
		lines string
		wants []string
	}{
		"no such project":     {replaced("project_id", "no-such-project"), []string{"Unable to read connection URI", "404", "Check the id of the project"}},
		"no such database":    {replaced("database_name", "none"), []string{"404", "database not found"}},
		"no such role":        {replaced("role_name", "none"), []string{"404", "role not found"}},
		"no such branch":      {connectionLines(w, `branch_id = "br-none"`), []string{"404", "branch not found"}},
		"no such endpoint":    {connectionLines(w, `endpoint_id = "ep-none"`), []string{"404", "endpoint not found"}},
		"an unusable project": {replaced("project_id", "My Project"), []string{"project_id must be the id"}},
		"an unusable branch":  {connectionLines(w, `branch_id = "My Branch"`), []string{"branch_id must be the id"}},
		"an unusable compute": {connectionLines(w, `endpoint_id = ""`), []string{"endpoint_id must be the id"}},
		"an empty database":   {replaced("database_name", ""), []string{"database_name string length must be at least 1"}},
		"an empty role":       {replaced("role_name", ""), []string{"role_name string length must be at least 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := acctest.InOrder(test.wants...)
			w.Refuses(t, acctest.Refusal{Config: w.ProviderConfig() + acctest.DataBlock("connection_uri", test.lines),
				Want: want})
			acctest.NeedsTerraform(t, "1.10.0")
			w.Refuses(t, acctest.Refusal{Config: w.ProviderConfig() + "ephemeral \"neon_connection_uri\" \"test\" {\n" +
				test.lines + "}\n", Want: want})
		})
	}
	t.Run("no API key", func(t *testing.T) {
		t.Parallel()
		w.Refuses(t, acctest.Refusal{Config: w.KeylessConfig() + acctest.DataBlock("connection_uri", lines),
			Want: acctest.InWords("No API key")})
	})
}
