package stories_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Terraform shows only the first of several warnings with the same summary: none of
// ours hides another, nor what that names.
func TestAccTerraform_eachWarningIsShown(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	left := []string{
		w.MakeUnusedKey(t, "/api_keys", map[string]string{"key_name": "k0"}),
		w.MakeUnusedKey(t, "/api_keys", map[string]string{"key_name": "k1"}),
	}
	config := func(rest string) string {
		return w.ProviderConfig() + fmt.Sprintf(`
resource "neon_api_key" "k" {
  count = 2
  name  = "k${count.index}"
}
resource "neon_branch" "b" {
  count      = 2
  project_id = %q
  name       = "b${count.index}"
%s
}
`, w.ProjectID, rest)
	}
	r := acctest.NewRun(t, w, config(`endpoints = { a = { type = "read_write" } }`))
	said := r.Terraform(t, "apply", "-auto-approve")
	for _, id := range left {
		if !strings.Contains(acctest.InOneLine(said), "API key "+id+", made at ") {
			t.Errorf("key %s isn't named", id)
		}
	}
	for _, change := range []string{"", `init_source = "schema-only"`} {
		r.Configure(t, config(change))
		said += r.Terraform(t, "plan")
	}
	if strings.Contains(said, "more similar warning") {
		t.Error(said)
	}
}

func TestAccTerraform_eachClaimableWarningIsShown(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, w.KeylessConfig()+`
resource "neon_claimable_database" "d" {
  count = 2
  ref   = "test"
}
`)
	said := r.Terraform(t, "apply", "-auto-approve")
	for _, database := range w.Objects(t).ClaimableDatabases {
		w.Control(t, http.MethodPost, fmt.Sprintf("/_emulator/claimable_databases/%s/claim", database["id"]),
			map[string]any{}, nil)
	}
	said += r.Terraform(t, "plan")
	if strings.Count(said, "Claimable database was claimed") != 2 || strings.Contains(said, "more similar warning") {
		t.Error(said)
	}
	r.Configure(t, w.KeylessConfig()) // As the warning advises.
	said = r.Terraform(t, "apply", "-auto-approve")
	if strings.Contains(said, "was claimed (project") || strings.Count(acctest.InOneLine(said), "It was claimed and stays in its account") != 2 {
		t.Error(said)
	}
}
