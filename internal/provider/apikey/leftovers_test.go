package apikey_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A run that was killed may leave a key behind that no state knows of. The next
// one names it, and prints no command that revokes it: it may be another configuration's.
func TestAccTerraform_leftoverKeysAreNamed(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"key-names": "any"}})
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
			left, err := client.ObjectOf(api.CreateAPIKey(context.Background(), test.scope, name))
			if err != nil {
				t.Fatal(err)
			}
			r := acctest.NewRun(t, w, w.ProviderConfig()+test.block)
			said := acctest.InOneLine(r.Terraform(t, "apply", "-auto-approve"))
			made := fmt.Sprintf("API key %d, made at %s", left.ID, left.CreatedAt.UTC().Format("2006-01-02T15:04:05Z"))
			for _, want := range []string{"Other API keys of the same name", made,
				"Look at them in the web console before you revoke any"} {
				if !strings.Contains(said, want) {
					t.Errorf("the apply doesn't say %q:\n%s", want, said)
				}
			}
			if strings.Contains(said, "DELETE") {
				t.Errorf("the apply says how to delete a key that may be somebody's:\n%s", said)
			}
			if live := w.KeysNamed(t, name); live != 2 {
				t.Errorf("%d keys are live, want the one in state and the one before", live)
			}
			r.Terraform(t, "destroy", "-auto-approve")
		})
	}
}

// A run with a key of its own names those of the same name, and no command that revokes them. An
// import says of which key the token isn't known.
func TestAccTerraform_keysOfOthersAreNamedWithCare(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{Readings: map[string]string{"key-names": "any"}})
	other, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), client.APIKeyScope{}, "k"))
	if err != nil {
		t.Fatal(err)
	}
	id := strconv.FormatInt(other.ID, 10)
	r := acctest.NewRun(t, w, w.ProviderConfig()+keyKinds(w)["personal"].ephemeralBlock("k")+
		"resource \"neon_api_key\" \"k\" { name = \"k\" }\nimport {\n to = neon_api_key.k\n id = \""+id+"\"\n}\n")
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	for _, want := range []string{`named "k" too`,
		"Look at them in the web console before you revoke any there: API key " + id,
		"An imported key has no token (" + id + ")"} {
		if !strings.Contains(said, want) {
			t.Errorf("the plan doesn't say %q:\n%s", want, said)
		}
	}
	if strings.Contains(said, "DELETE") {
		t.Errorf("the plan says how to delete a key that may be somebody's:\n%s", said)
	}
}
