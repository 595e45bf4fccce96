package docs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// mirrorBlock is where a configuration of the command line has a provider from.
var mirrorBlock = regexp.MustCompile(`(?s)  filesystem_mirror \{.*?\n  \}\n`)

// prepareMove is the reader's folder when the guide begins: another provider's state of a project with
// a branch.
func prepareMove(t *testing.T, w *acctest.World, folder, clone string) []string {
	t.Helper()
	api, name := w.Client(t), "shop"
	project, err := api.CreateProject(t.Context(), client.ProjectCreate{OrgID: w.OrgID, ProjectUpdate: client.ProjectUpdate{Name: &name}})
	if err != nil {
		t.Fatal(err)
	}
	id := project.Project.ID
	branch, branchErr := api.CreateBranch(t.Context(), id, client.BranchCreate{
		Name: "staging", Endpoints: []client.EndpointCreate{{Type: client.EndpointReadWrite}},
	})
	if branchErr != nil {
		t.Fatal(branchErr)
	}
	_, operations, err := api.CreateRole(t.Context(), id, branch.Branch.ID, client.RoleCreate{Name: "app"})
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
		{"neon_branch", "staging", 8, map[string]string{"id": branch.Branch.ID, "project_id": id, "name": "staging"}},
		// The program in the old provider's place reads no later version.
		{"neon_endpoint", "staging", 0, map[string]string{"id": branch.Endpoints[0].ID, "project_id": id, "branch_id": branch.Branch.ID}},
		{"neon_role", "app", 7, map[string]string{
			"id": id + "/" + branch.Branch.ID + "/app", "project_id": id, "branch_id": branch.Branch.ID, "name": "app",
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
	if err := errors.Join(err, stateErr, os.WriteFile(filepath.Join(folder, "terraform.tfstate"), state, 0o600)); err != nil {
		t.Fatal(err)
	}
	return []string{"TF_CLI_CONFIG_FILE=" + withOldProvider(t, clone)}
}

// withOldProvider lets terraform init find the other provider. Its program is ours, as
// none of its resources is left to be worked on.
func withOldProvider(t *testing.T, clone string) string {
	t.Helper()
	folder := t.TempDir()
	config, program := filepath.Join(folder, "old.tfrc"), filepath.Join(clone, "bin", "terraform-provider-neon")
	if err := terraformcli.WriteMirror(config, filepath.Join(folder, "mirror"), program, "kislerdm/neon", "0.13.0"); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(config)
	own, ownErr := os.ReadFile(filepath.Join(clone, "bin", "neon.tfrc"))
	both := fmt.Sprintf("provider_installation {\n%s%s}\n", mirrorBlock.Find(own), mirrorBlock.Find(old))
	if err := errors.Join(err, ownErr, os.WriteFile(config, []byte(both), 0o600)); err != nil {
		t.Fatal(err)
	}
	return config
}
