package apikey_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A run that was killed may leave a key behind that no state knows of. The next
// one names it, and the command that it prints revokes it.
func TestAccTerraform_leftoverKeysAreNamed(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	for name, test := range map[string]struct {
		scope client.APIKeyScope
		block string
	}{
		"personal": {client.APIKeyScope{}, `resource "neon_api_key" "k" { name = "personal" }`},
		"project": {
			client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID},
			fmt.Sprintf("resource \"neon_org_api_key\" \"k\" {\n name = \"project\"\n project_id = %q\n}", w.ProjectID),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := w.Client(t)
			left, err := api.CreateAPIKey(context.Background(), test.scope, name)
			if err != nil {
				t.Fatal(err)
			}
			r := acctest.NewRun(t, w, w.ProviderConfig()+test.block)
			said := r.Terraform(t, "apply", "-auto-approve")
			command := api.RevocationCommand(test.scope, left.ID)
			made := fmt.Sprintf("API key %d, made at %s", left.ID, left.CreatedAt.UTC().Format("2006-01-02T15:04:05Z"))
			for _, want := range []string{"Other API keys of the same name", made, command} {
				if !strings.Contains(said, want) {
					t.Errorf("the apply doesn't say %q:\n%s", want, said)
				}
			}
			acctest.Shell(t, command, "NEON_API_KEY="+w.APIKey)
			if live := w.KeysNamed(t, name); live != 1 {
				t.Errorf("%d keys are live, want the one in state alone", live)
			}
			r.Terraform(t, "destroy", "-auto-approve")
		})
	}
}
