package walks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// keyRow is a row of the guide's table of keys: what a personal key, an organization's and a
// project's can do.
type keyRow struct {
	kinds []string // as what is named; empty for all
	names []string
	cells [3]string
}

var (
	keyNames = regexp.MustCompile("`(neon_[a-z_]+)`")
	keyKinds = regexp.MustCompile(`(?i)((?:ephemeral |list )?resource|data source|action)s?\b`)
)

// keyRows reads the table.
func keyRows(t *testing.T) []keyRow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(acctest.RepositoryDir, "docs", "guides", "api-keys.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| What | Personal key |")
	table, _, _ = strings.Cut(table, "\n\n")
	var rows []keyRow
	for line := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(line, " | ")
		if len(cells) != 4 {
			continue
		}
		row := keyRow{cells: [3]string{cells[1], cells[2], strings.TrimSuffix(cells[3], " |")}}
		// Data sources stand after the list resources of their row.
		for part := range strings.SplitSeq(strings.Replace(cells[0], ", data source", "\ndata source", 1), "\n") {
			row.kinds, row.names = nil, nil
			for _, kind := range keyKinds.FindAllStringSubmatch(part, -1) {
				row.kinds = append(row.kinds, strings.ToLower(kind[1]))
			}
			for _, name := range keyNames.FindAllStringSubmatch(part, -1) {
				row.names = append(row.names, name[1])
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// may reports what a cell says, and whether it says anything.
func may(cell string) (allowed, said bool) {
	return !strings.HasPrefix(cell, "no ") && cell != "no" || cell == "no key is needed", cell != "Neon doesn't say"
}

// keyRowOf is the row of something that is served, as a kind, or else the first, which is of what no other row names.
func keyRowOf(t *testing.T, rows []keyRow, kind, name string) keyRow {
	t.Helper()
	for _, row := range rows {
		if slices.Contains(row.names, name) && (row.kinds == nil || slices.Contains(row.kinds, kind)) {
			return row
		}
	}
	if rows[0].names != nil {
		t.Fatal("the table doesn't begin with a row of what no other row names")
	}
	return rows[0]
}

// assignedEndpoint is an endpoint of AWS that the organization of the key worlds has.
const assignedEndpoint = "vpce-0a1"

// keyWorlds are one Neon as each kind of key sees it, and a member of its organization.
func keyWorlds(t *testing.T) (worlds [3]*acctest.World, memberID string) {
	t.Helper()
	w := acctest.NewBranchWorld(t)
	memberID, _ = w.AddMember(t, "max@example.com", "viewer")
	w.AssignVPCEndpoints(t, assignedEndpoint)
	worlds[0] = w.World
	for i, scope := range []client.APIKeyScope{{OrgID: w.OrgID}, {OrgID: w.OrgID, ProjectID: w.ProjectID}} {
		made, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), scope, "of the table"))
		if err != nil {
			t.Fatal(err)
		}
		with := *w.World
		with.APIKey = made.Key
		worlds[i+1] = &with
	}
	return worlds, memberID
}

// What the guide says of the kinds of keys is what the emulator does, which has it from Neon's documents.
func TestKeysTable(t *testing.T) {
	t.Parallel()
	rows := keyRows(t)
	if len(rows) < 15 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, of := range []struct {
		kind, folder string
		try          func(t *testing.T, w *acctest.World, memberID, name string) (problem string)
	}{
		{"resource", "resources", func(t *testing.T, w *acctest.World, memberID, name string) string {
			return applied(t, w, memberID, "resources/"+name+"/resource.tf")
		}},
		{"data source", "data-sources", func(t *testing.T, w *acctest.World, memberID, name string) string {
			return applied(t, w, memberID, "data-sources/"+name+"/data-source.tf")
		}},
		{"list resource", "list-resources", func(t *testing.T, w *acctest.World, _, name string) string { return listProblem(t, w, name) }},
		{"ephemeral resource", "ephemeral-resources", func(t *testing.T, w *acctest.World, _, name string) string { return openProblem(t, w, name) }},
	} {
		for _, name := range acctest.ExampleEntries(t, of.folder) {
			t.Run(of.kind+" "+name, func(t *testing.T) {
				t.Parallel()
				row := keyRowOf(t, rows, of.kind, name)
				worlds, memberID := keyWorlds(t)
				// What a strong key has changed, a weaker one could leave as it is.
				for i, w := range slices.Backward(worlds[:]) {
					checkKey(t, of.kind+" "+name, row.cells[i], func() string { return of.try(t, w, memberID, name) })
				}
			})
		}
	}
}

// checkKey fails where a key may what the table denies, or the other way round.
func checkKey(t *testing.T, what, cell string, try func() (problem string)) {
	t.Helper()
	allowed, said := may(cell)
	if !said {
		return
	}
	if problem := try(); allowed != (problem == "") {
		t.Errorf("%s: the table says %q, and what happens is: %s", what, cell, problem)
	}
}

var (
	// What needs more than the example's key, and can't be created twice, is there.
	assignment      = regexp.MustCompile(`(?ms)^resource "neon_vpc_endpoint_assignment" "(?:payroll|reports)" .*?\n}\n`)
	besideResources = regexp.MustCompile(`(?ms)^(terraform|variable|output|check|ephemeral) .*?\n}\n`)
	lifecycle       = regexp.MustCompile(`(?ms)^  lifecycle \{.*?\n  }\n`)
)

// applied is the error of an example that is applied in process, and destroyed.
func applied(t *testing.T, w *acctest.World, memberID, path string) string {
	t.Helper()
	text := unprotected.ReplaceAllString(acctest.ReadExample(t, path), "$1 = false")
	for _, part := range []*regexp.Regexp{lifecycle, besideResources, assignment} {
		text = part.ReplaceAllString(text, "")
	}
	now := time.Now().UTC()
	text = strings.NewReplacer(
		"var.project_id", strconv.Quote(w.ProjectID), "${path.module}/main.tf", script(t), "${path.module}/api",
		acctest.CodeFolder(t, ""), "var.signing_key", `"secret"`, "var.org_id", strconv.Quote(w.OrgID),
		"var.member_id", strconv.Quote(memberID), "var.vpc_endpoint_id", `"vpce-0d4"`, "var.database_id",
		strconv.Quote(claimableDatabase(t, w)),
		"neon_vpc_endpoint_assignment.payroll.vpc_endpoint_id", strconv.Quote(assignedEndpoint),
		"neon_vpc_endpoint_assignment.reports.vpc_endpoint_id", strconv.Quote(assignedEndpoint),
		"neon_vpc_endpoint_assignment.reports.org_id", strconv.Quote(w.OrgID),
		"neon_vpc_endpoint_assignment.reports.region_id", `"aws-us-east-2"`,
		`timeadd(plantimestamp(), "-168h")`, strconv.Quote(now.Add(-168*time.Hour).Format(time.RFC3339)),
		"plantimestamp()", strconv.Quote(now.Format(time.RFC3339)), "name = \"web-shop\"", "id = "+strconv.Quote(w.ProjectID),
	).Replace(text)
	rest, err := inprocess.RunCommand(t.Context(), w.Factories()["neon"],
		w.ProviderConfigWith(w.APIKey, "org_id = "+strconv.Quote(w.OrgID))+text, []string{"apply", "-auto-approve"})
	if left := rest(); left != nil && err == nil {
		err = left
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// listProblem is the error of a list of all that the configuration may leave out.
func listProblem(t *testing.T, w *acctest.World, name string) string {
	t.Helper()
	p := acctest.NewProtocol(t, w)
	query := acctest.Query{Config: map[string]tftypes.Value{}}
	for _, attribute := range p.Schema.ListResourceSchemas[name].Block.Attributes {
		if attribute.Name == "project_id" {
			query.Config["project_id"] = acctest.Text(w.ProjectID)
		}
	}
	var problem string
	for _, listed := range p.List(t, name, query) {
		problem += listed.Problem
	}
	return problem
}

// openProblem is the error of an ephemeral resource with the attributes that it requires.
func openProblem(t *testing.T, w *acctest.World, name string) string {
	t.Helper()
	return openAndClose(t, acctest.NewProtocol(t, w), name, whatItRequires(t, w, name))
}

// whatItRequires are the attributes that an ephemeral resource requires.
func whatItRequires(t *testing.T, w *acctest.World, name string) map[string]tftypes.Value {
	t.Helper()
	api := w.Client(t)
	branchID := (&acctest.BranchWorld{World: w, API: api}).MainBranch(t).ID
	credential, err := client.ObjectOf(api.CreateCredential(t.Context(), w.Ref(branchID),
		client.CredentialCreate{Scopes: []string{"storage:read"}}))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{
		"project_id": w.ProjectID, "branch_id": branchID, "token_id": credential.TokenID, "role_name": "neondb_owner",
		"database_name": "neondb",
		"name":          "of the table", "ref": "terraform-test",
	}
	p := acctest.NewProtocol(t, w)
	config := map[string]tftypes.Value{}
	for _, attribute := range p.Schema.EphemeralResourceSchemas[name].Block.Attributes {
		switch {
		case attribute.Name == "scopes":
			config[attribute.Name] = tftypes.NewValue(attribute.Type, []tftypes.Value{acctest.Text("storage:read")})
		case attribute.Required:
			config[attribute.Name] = acctest.Text(values[attribute.Name])
		}
	}
	return config
}

// The same of actions.
func TestKeysTable_actions(t *testing.T) {
	t.Parallel()
	rows := keyRows(t)
	for name, prepare := range actionTests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := keyRowOf(t, rows, "action", name)
			for i, scope := range []func(w *acctest.World) client.APIKeyScope{
				1: func(w *acctest.World) client.APIKeyScope { return client.APIKeyScope{OrgID: w.OrgID} },
				2: func(w *acctest.World) client.APIKeyScope {
					return client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID}
				},
			} {
				w := acctest.StartEmulator(t, emulator.Config{})
				a := prepare(t, w)
				if scope != nil {
					made, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), scope(w), "of the table"))
					if err != nil {
						t.Fatal(err)
					}
					w.APIKey = made.Key
				}
				checkKey(t, "action "+name, row.cells[i], func() string {
					problem := acctest.NewProtocol(t, w).Invoke(t, a.Action, nil).Problem
					if strings.Contains(problem, "has databases only where PostgreSQL is installed") {
						return "" // The key was enough.
					}
					return problem
				})
			}
		})
	}
}

// Each page says in a sentence what the table says of it, unless any key works.
func TestKeysTable_pages(t *testing.T) {
	t.Parallel()
	rows := keyRows(t)
	for folder, kind := range map[string]string{
		"resources": "resource", "data-sources": "data source", "ephemeral-resources": "ephemeral resource",
		"list-resources": "list resource", "actions": "action",
	} {
		for _, name := range acctest.ExampleEntries(t, folder) {
			text, err := os.ReadFile(filepath.Join(acctest.RepositoryDir, "docs", folder,
				strings.TrimPrefix(name, "neon_")+".md"))
			if err != nil {
				t.Fatal(err)
			}
			const link = "[API key](../guides/api-keys.md#which-key-for-what)"
			want := keyRowOf(t, rows, kind, name).sentence()
			isSaid := want != anyKey || strings.Contains(string(text), link)
			if isSaid && !strings.Contains(strings.ReplaceAll(string(text), link, "API key"), want) {
				t.Errorf("the page of the %s %s doesn't say %q", kind, name, want)
			}
			if want != anyKey && want != noKey && !strings.Contains(string(text), link) {
				t.Errorf("the page of the %s %s doesn't lead to the table", kind, name)
			}
		}
	}
}

const anyKey, noKey = "Works with any API key", "Needs no API key."

// sentence is how the sentence of a page begins, or a part of it.
func (row keyRow) sentence() string {
	organization, said := may(row.cells[1])
	project, _ := may(row.cells[2])
	switch {
	case row.cells[0] == "no key is needed":
		return noKey
	case row.cells[1] == "was once refused":
		return "Needs a personal API key where Neon refuses an organization's, as it was once seen to do."
	case !said:
		return "Neon doesn't say whether an organization's key is enough."
	case project:
		return anyKey
	case organization:
		return "Needs a personal API key or one of the organization."
	default:
		return "Needs a personal API key"
	}
}

// openAndClose opens an ephemeral resource and closes it, and returns the error that there was.
func openAndClose(t *testing.T, p acctest.Protocol, name string, given map[string]tftypes.Value) (problem string) {
	t.Helper()
	kind := p.Schema.EphemeralResourceSchemas[name].ValueType()
	opened, err := p.OpenEphemeralResource(t.Context(), &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: name, Config: acctest.Dynamic(t, kind, acctest.Object(kind, given)),
	})
	acctest.NoProblem(t, err, nil)
	for _, diagnostic := range opened.Diagnostics {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError {
			problem += diagnostic.Summary + "\n" + diagnostic.Detail
		}
	}
	if problem != "" {
		return problem
	}
	closed, err := p.CloseEphemeralResource(t.Context(),
		&tfprotov6.CloseEphemeralResourceRequest{TypeName: name, Private: opened.Private})
	acctest.NoProblem(t, err, closed.Diagnostics)
	return ""
}
