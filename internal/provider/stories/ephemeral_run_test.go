package stories_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// opened opens a key of each kind and configures the provider with it.
func opened(w *acctest.World, kinds ...string) string {
	var config strings.Builder
	for _, name := range kinds {
		resource := "neon_org_api_key"
		own := fmt.Sprintf("org_id = %q\n", w.OrgID)
		switch name {
		case "personal":
			resource, own = "neon_api_key", ""
		case "project-scoped":
			own += fmt.Sprintf("project_id = %q\n", w.ProjectID)
		}
		fmt.Fprintf(&config, "ephemeral %[1]q %[2]q {\n  name = %[2]q\n  %[3]s}\n"+
			"provider \"neon\" {\n  alias   = %[2]q\n  api_key = ephemeral.%[1]s.%[2]s.key\n}\n", resource, name, own)
	}
	return config.String()
}

// readWith reads something with the key of a kind.
func readWith(w *acctest.World, kind string) string {
	return fmt.Sprintf("data \"neon_operations\" %[1]q {\n  provider   = neon.%[1]s\n  project_id = %[2]q\n}\n", kind,
		w.ProjectID)
}

// branchWith makes a branch with the key of a kind.
func branchWith(kind, projectID string) string {
	return fmt.Sprintf("resource \"neon_branch\" \"test\" {\n  provider   = neon.%s\n  project_id = %q\n  name       = \"made\"\n}\n", kind, projectID)
}

// Each opened key is taken by Neon while the run goes on, and is revoked
// when it is over.
func TestAccEphemeralRun_works(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	kinds := []string{"personal", "organization", "project-scoped"}
	config := opened(w, kinds...) + branchWith("organization", w.ProjectID)
	for _, kind := range kinds {
		config += readWith(w, kind)
	}
	r := acctest.NewRun(t, w, config)
	for _, command := range [][]string{{"apply", "-auto-approve"}, {"plan"}, {"destroy", "-auto-approve"}} {
		if said := r.Terraform(t, command...); strings.Contains(said, "may still be valid") {
			t.Errorf("terraform %s says:\n%s", command[0], said)
		}
		w.OnlyTheFirst(t)
	}
	if made := w.Requests(t).ByRoute["POST /api/v2/api_keys"]; made < 3 {
		t.Errorf("%d personal keys were made, want one for each plan and apply", made)
	}
}

// A run that fails between open and close leaves no key, neither one whose user
// has failed, which Terraform doesn't close, nor another.
func TestAccEphemeralRun_fails(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, opened(w, "personal", "organization")+branchWith("organization", w.ProjectID)+
		"resource \"neon_branch\" \"twin\" {\n  provider   = neon.personal\n  project_id = \""+w.ProjectID+
		"\"\n  name       = \"main\"\n}\n")
	plan := filepath.Join(t.TempDir(), "plan")
	r.Terraform(t, "plan", "-out="+plan)
	// What is sent only once is not enough.
	w.AddFault(t, acctest.Fault{Route: revokeRoute, Kind: "lost_before", Count: 1})
	said := r.Fails(t, "apply", plan)
	if !strings.Contains(said, "Unable to create branch") {
		t.Errorf("terraform says:\n%s", said)
	}
	w.OnlyTheFirst(t)
}

// A key that can't be revoked is named, with what to do, and the run succeeds.
func TestAccEphemeralRun_revocationFails(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	for _, status := range []int{http.StatusForbidden, http.StatusInternalServerError} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			w.AddFault(t, acctest.Fault{Route: revokeRoute, Kind: "status", Status: status})
			r := acctest.NewRun(t, w, opened(w, "personal")+readWith(w, "personal"), "NEON_MAX_RETRIES=2")
			said := acctest.InOneLine(r.Terraform(t, "plan"))
			keys := w.Objects(t).APIKeys
			if len(keys) != 2 {
				t.Fatalf("there are %d keys, want the first one and the one that wasn't revoked", len(keys))
			}
			id := fmt.Sprintf("%.0f", keys[1]["id"])
			for _, wanted := range []string{
				"Warning: API key " + id + " may still be valid", "Revoke it in the web console", "/api/v2/api_keys/" + id,
				fmt.Sprint(status), `named "personal"`,
			} {
				if !strings.Contains(said, wanted) {
					t.Errorf("terraform doesn't say %q:\n%s", wanted, said)
				}
			}
			want := 1
			if status == http.StatusInternalServerError {
				want = 3
			}
			if tries := w.Requests(t).ByRoute[revokeRoute]; tries != want {
				t.Errorf("%d revocations were tried, want %d", tries, want)
			}
		})
	}
}

// A run that is interrupted leaves no key, whatever it is about to do, and
// however slow Neon is.
func TestAccEphemeralRun_interrupted(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	const creation, work = "POST /api/v2/api_keys", "POST /api/v2/projects/{project_id}/branches"
	for name, slow := range map[string][]string{
		"while the key is being made":              {creation},
		"while the key is open":                    {work},
		"while the key is open, slow to be closed": {work, revokeRoute},
		"while the key is being closed":            {revokeRoute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.StartEmulator(t, emulator.Config{})
			plan := filepath.Join(t.TempDir(), "plan")
			r := acctest.NewRun(t, w, opened(w, "personal")+branchWith("personal", w.ProjectID))
			r.Terraform(t, "plan", "-out="+plan)
			w.ForgetRequests(t)
			for _, route := range slow {
				w.AddFault(t, acctest.Fault{Route: route, Kind: "slow", Delay: "3s"})
			}
			// What is sent only once is not enough.
			w.AddFault(t, acctest.Fault{Route: revokeRoute, Kind: "lost_before", Count: 1})
			said := signaled(t, r, w, os.Interrupt, slow[0], "apply", plan)
			if strings.Contains(said, "may still be valid") {
				t.Errorf("terraform says:\n%s", said)
			}
			w.OnlyTheFirst(t)
		})
	}
}

// A run that is killed can't revoke its key: the next one names it. So it is
// with a run that fails and can't revoke it in time.
func TestAccEphemeralRun_nextNamesLeftovers(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	r := acctest.NewRun(t, w, opened(w, "personal")+readWith(w, "personal"))
	left, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), client.APIKeyScope{}, "personal"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.ClientWith(t, left.Key).GetOperation(t.Context(),
		client.Ref[client.Operation]{ProjectID: w.ProjectID, ID: "none"}); err == nil {
		t.Fatal("there is an operation called none")
	}
	said := acctest.InOneLine(r.Terraform(t, "plan"))
	for _, wanted := range []string{`These keys are named "personal" too`, fmt.Sprintf("API key %d, made at", left.ID)} {
		if !strings.Contains(said, wanted) {
			t.Errorf("terraform doesn't say %q:\n%s", wanted, said)
		}
	}
	if alive := w.KeysNamed(t, "personal"); alive != 1 {
		t.Errorf("%d keys are alive, want the one that was left alone", alive)
	}
}

// revokeRoute is the call that revokes a personal key.
const revokeRoute = "DELETE /api/v2/api_keys/{key_id}"

// signaled runs one command, sends it a signal while Neon works on a
// request of a route, and returns what it says.
func signaled(
	t *testing.T, r acctest.Run, w *acctest.World, signal os.Signal, route string, arguments ...string,
) string {
	t.Helper()
	output, err := r.SignaledWhen(t, signal, func() bool { return w.Requests(t).ByRoute[route] > 0 }, arguments...)
	if err == nil && route != revokeRoute {
		t.Errorf("the run wasn't interrupted:\n%s", output)
	}
	return output
}
