package provider

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// opened opens a key of each kind and configures the provider with it.
func opened(w *world, kinds ...string) string {
	var config strings.Builder
	for _, name := range kinds {
		kind := keyKinds(w)[name]
		block := strings.Replace(kind.ephemeralBlock(name), `"test"`, fmt.Sprintf("%q", name), 1)
		fmt.Fprintf(&config, "%sprovider \"neon\" {\n  alias   = %q\n  api_key = ephemeral.%s.%s.key\n}\n", block, name, kind.resource, name)
	}
	return config.String()
}

// readWith reads something with the key of a kind.
func readWith(w *world, kind string) string {
	return fmt.Sprintf("data \"neon_operations\" %[1]q {\n  provider   = neon.%[1]s\n  project_id = %[2]q\n}\n", kind, w.projectID)
}

// branchWith makes a branch with the key of a kind.
func branchWith(kind, projectID string) string {
	return fmt.Sprintf("resource \"neon_branch\" \"test\" {\n  provider   = neon.%s\n  project_id = %q\n  name       = \"made\"\n}\n", kind, projectID)
}

// onlyTheFirst checks that no key but the first is alive.
func (w *world) onlyTheFirst(t *testing.T) {
	t.Helper()
	if keys := w.objects(t).APIKeys; len(keys) != 1 {
		t.Errorf("these keys are alive: %v; want the first one alone", keys)
	}
}

const revokeRoute = "DELETE /api/v2/api_keys/{key_id}"

// Each opened key is taken by the platform while the run goes on, and is revoked
// when it is over.
func TestAccEphemeralRun_works(t *testing.T) {
	t.Parallel()
	needsTerraform(t, "1.10.0")
	w := startEmulator(t, emulator.Config{})
	kinds := []string{"personal", "organization", "project-scoped"}
	config := opened(w, kinds...) + branchWith("organization", w.projectID)
	for _, kind := range kinds {
		config += readWith(w, kind)
	}
	r := newRun(t, w, config)
	for _, command := range [][]string{{"apply", "-auto-approve"}, {"plan"}, {"destroy", "-auto-approve"}} {
		if said := r.terraform(t, command...); strings.Contains(said, "may still be valid") {
			t.Errorf("terraform %s says:\n%s", command[0], said)
		}
		w.onlyTheFirst(t)
	}
	if made := w.requests(t).ByRoute["POST /api/v2/api_keys"]; made < 3 {
		t.Errorf("%d personal keys were made, want one for each plan and apply", made)
	}
}

// A run that fails between open and close leaves no key, neither one whose user
// has failed, which Terraform doesn't close, nor another.
func TestAccEphemeralRun_fails(t *testing.T) {
	t.Parallel()
	needsTerraform(t, "1.10.0")
	w := startEmulator(t, emulator.Config{})
	r := newRun(t, w, opened(w, "personal", "organization")+branchWith("organization", w.projectID)+
		"resource \"neon_branch\" \"twin\" {\n  provider   = neon.personal\n  project_id = \""+w.projectID+"\"\n  name       = \"main\"\n}\n")
	plan := filepath.Join(t.TempDir(), "plan")
	r.terraform(t, "plan", "-out="+plan)
	// What is sent only once is not enough.
	w.addFault(t, fault{Route: revokeRoute, Kind: "lost_before", Count: 1})
	said := r.fails(t, "apply", plan)
	if !strings.Contains(said, "Unable to create branch") {
		t.Errorf("terraform says:\n%s", said)
	}
	w.onlyTheFirst(t)
}

// A key that can't be revoked is named, with what to do, and the run succeeds.
func TestAccEphemeralRun_revocationFails(t *testing.T) {
	t.Parallel()
	needsTerraform(t, "1.10.0")
	for _, status := range []int{http.StatusForbidden, http.StatusInternalServerError} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			w := startEmulator(t, emulator.Config{})
			w.addFault(t, fault{Route: revokeRoute, Kind: "status", Status: status})
			r := newRun(t, w, opened(w, "personal")+readWith(w, "personal"), "NEON_MAX_RETRIES=2")
			said := inOneLine(r.terraform(t, "plan"))
			keys := w.objects(t).APIKeys
			if len(keys) != 2 {
				t.Fatalf("there are %d keys, want the first one and the one that wasn't revoked", len(keys))
			}
			id := fmt.Sprintf("%.0f", keys[1]["id"])
			for _, wanted := range []string{
				"Warning: API key " + id + " may still be valid", "Revoke it in the web console", "/api/v2/api_keys/" + id, fmt.Sprint(status), `named "personal"`,
			} {
				if !strings.Contains(said, wanted) {
					t.Errorf("terraform doesn't say %q:\n%s", wanted, said)
				}
			}
			want := 1
			if status == http.StatusInternalServerError {
				want = 3
			}
			if tries := w.requests(t).ByRoute[revokeRoute]; tries != want {
				t.Errorf("%d revocations were tried, want %d", tries, want)
			}
		})
	}
}

// A run that is interrupted leaves no key, whatever it is about to do, and
// however slow the platform is.
func TestAccEphemeralRun_interrupted(t *testing.T) {
	t.Parallel()
	needsTerraform(t, "1.10.0")
	const creation, work = "POST /api/v2/api_keys", "POST /api/v2/projects/{project_id}/branches"
	for name, slow := range map[string][]string{
		"while the key is being made":              {creation},
		"while the key is open":                    {work},
		"while the key is open, slow to be closed": {work, revokeRoute},
		"while the key is being closed":            {revokeRoute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := startEmulator(t, emulator.Config{})
			plan := filepath.Join(t.TempDir(), "plan")
			r := newRun(t, w, opened(w, "personal")+branchWith("personal", w.projectID))
			r.terraform(t, "plan", "-out="+plan)
			w.forgetRequests(t)
			for _, route := range slow {
				w.addFault(t, fault{Route: route, Kind: "slow", Delay: "3s"})
			}
			// What is sent only once is not enough.
			w.addFault(t, fault{Route: revokeRoute, Kind: "lost_before", Count: 1})
			said := r.signaled(t, w, os.Interrupt, slow[0], "apply", plan)
			if strings.Contains(said, "may still be valid") {
				t.Errorf("terraform says:\n%s", said)
			}
			w.onlyTheFirst(t)
		})
	}
}

// signaled runs one command, sends it a signal while the platform works on a
// request of a route, and gives what it says.
func (r run) signaled(t *testing.T, w *world, signal os.Signal, route string, arguments ...string) string {
	t.Helper()
	command := r.command(t, arguments...)
	var output bytes.Buffer
	command.Stdout, command.Stderr = &output, &output
	// What a killed terraform leaves holds the output open.
	command.WaitDelay = time.Second
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for w.requests(t).ByRoute[route] == 0 {
		time.Sleep(20 * time.Millisecond)
	}
	if err := command.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err == nil && route != revokeRoute {
		t.Errorf("the run wasn't interrupted:\n%s", output.String())
	}
	return output.String()
}

// A run that is killed can't revoke its key: the next one names it. So it is
// with a run that fails and can't revoke it in time.
func TestAccEphemeralRun_nextNamesLeftovers(t *testing.T) {
	t.Parallel()
	needsTerraform(t, "1.10.0")
	w := startEmulator(t, emulator.Config{})
	r := newRun(t, w, opened(w, "personal")+readWith(w, "personal"))
	left, err := w.client(t).CreateAPIKey(t.Context(), client.APIKeyScope{}, "personal")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.clientWith(t, left.Key).Operation(t.Context(), w.projectID, "none"); err == nil {
		t.Fatal("there is an operation called none")
	}
	said := inOneLine(r.terraform(t, "plan"))
	for _, wanted := range []string{`These keys are named "personal" too`, fmt.Sprintf("API key %d, made at", left.ID)} {
		if !strings.Contains(said, wanted) {
			t.Errorf("terraform doesn't say %q:\n%s", wanted, said)
		}
	}
	if alive := w.keysNamed(t, "personal"); alive != 1 {
		t.Errorf("%d keys are alive, want the one that was left alone", alive)
	}
}
