package docs

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// prepareMove is the reader's folder when the guide begins: another provider's state of a project with
// a branch.
func prepareMove(t *testing.T, w *acctest.World, folder, _ string) []string {
	t.Helper()
	api, name := w.Client(t), "shop"
	project, err := api.CreateProject(t.Context(), client.ProjectCreate{OrgID: w.OrgID,
		ProjectUpdate: client.ProjectUpdate{Name: &name}})
	if err != nil {
		t.Fatal(err)
	}
	id := project.Object.ID
	branch, branchErr := api.CreateBranch(t.Context(), id, client.BranchCreate{
		Name: "staging", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
	})
	if branchErr != nil {
		t.Fatal(branchErr)
	}
	operations, err := client.OperationsOf(api.CreateRole(t.Context(),
		client.BranchRef{ProjectID: id, ID: branch.Object.ID}, client.RoleCreate{Name: "app"}))
	if err == nil {
		err = api.WaitForOperations(t.Context(), id, operations)
	}
	var resources []any
	for _, r := range []struct {
		kind, name string
		version    int
		attributes map[string]string
	}{
		{"neon_project", "shop", 11, map[string]string{"id": id, "name": name}},
		{"neon_branch", "staging", 8, map[string]string{"id": branch.Object.ID, "project_id": id, "name": "staging"}},
		{"neon_endpoint", "staging", 8, map[string]string{"id": branch.Object.Endpoints[0].ID, "project_id": id, "branch_id": branch.Object.ID}},
		{"neon_role", "app", 7, map[string]string{
			"id": id + "/" + branch.Object.ID + "/app", "project_id": id, "branch_id": branch.Object.ID, "name": "app",
		}},
	} {
		resources = append(resources, map[string]any{
			"mode": "managed", "type": r.kind, "name": r.name, "provider": `provider["registry.terraform.io/kislerdm/neon"]`,
			"instances": []any{map[string]any{"schema_version": r.version, "attributes": r.attributes}},
		})
	}
	state, stateErr := json.Marshal(map[string]any{
		"version": 4, "terraform_version": "1.8.0", "serial": 1, "lineage": "moved", "resources": resources,
	})
	if err := errors.Join(err, stateErr, os.WriteFile(filepath.Join(folder, "terraform.tfstate"), state,
		0o600)); err != nil {
		t.Fatal(err)
	}
	return nil
}

// The guide names each type that the provider takes over, with the provider that it comes from.
func TestMoveGuide_namesEveryType(t *testing.T) {
	t.Parallel()
	guide := read(t, "templates/guides/moving-from-another-provider.md.tmpl")
	row := func(provider string) string {
		_, row, _ := strings.Cut(guide, "\n| `"+provider+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		return row
	}
	p, known := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})), 0
	for resource := range p.Schema.ResourceSchemas {
		_, _, problem := p.Move(t, resource, acctest.MovedSource{Provider: "nobody/neon", TypeName: "neon_nothing"},
			map[string]any{})
		_, list, _ := strings.Cut(problem, "Known are: ")
		list, _, _ = strings.Cut(list, ". ")
		for source := range strings.SplitSeq(list, "; ") {
			kind, provider, isSource := strings.Cut(source, " of ")
			if !isSource {
				continue
			}
			known++
			_, section, _ := strings.Cut(guide, "### From `"+provider+"`\n")
			section, _, _ = strings.Cut(section, "\n### ")
			as := row(provider)
			if provider == "neondatabase/neon" { // Its row begins with "the same, and".
				as += row("kislerdm/neon")
			}
			if name := "`" + kind + "`"; !strings.Contains(as, name) && !strings.Contains(section, "| "+name+" |") {
				t.Errorf("the guide doesn't say that %s becomes %s", source, resource)
			}
		}
	}
	if known < 50 {
		t.Errorf("%d types are known", known)
	}
}
