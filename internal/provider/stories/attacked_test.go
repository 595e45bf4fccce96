package stories_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// attack is a configuration that Terraform applies, keeps and destroys while answers are lost, writes are refused, a
// run is interrupted, and others change what it has made.
type attack struct {
	config string
	// creations and deletions are the routes of its writes: each refuses one for other work, and loses the next answer.
	creations, deletions []string
	// interrupted is the route at which the first apply is interrupted. What it has begun is kept; the apply after drift,
	// which sends it again, loses an answer.
	interrupted string
	// drift changes and deletes things outside of Terraform, and the apply that follows is to do that many changes.
	drift   func()
	changes string
	// want is how many objects of each kind there are after each apply.
	want map[string]int
}

// run fails where something is made twice or not at all, where a plan after an apply isn't empty, and where
// a secret is in a state, in a plan file, in the log or on the terminal.
func (a attack) run(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	before, traces := w.Existing(t), t.TempDir()
	r := acctest.NewRun(t, w.World, a.config, "TF_LOG=TRACE", "TF_LOG_PATH="+filepath.Join(traces, "trace.log"))
	var said strings.Builder
	run := func(arguments ...string) string {
		text := r.Terraform(t, arguments...)
		said.WriteString(text)
		return text
	}
	isWhole := func(after string) {
		t.Helper()
		if difference := cmp.Diff(a.want, made(t, w, before)); difference != "" {
			t.Errorf("after %s there isn't what the configuration says (-want +got):\n%s", after, difference)
		}
	}

	disturb(t, w, a.creations)
	w.AddFault(t, acctest.Fault{Route: a.interrupted, Kind: "slow", Delay: "1s", Count: 1})
	said.WriteString(signaled(t, r, w.World, os.Interrupt, a.interrupted, "apply", "-auto-approve"))
	run("plan", "-out=rest.plan")
	run("apply", "rest.plan")
	isWhole("an interrupted apply and another")
	run("plan", "-detailed-exitcode", "-out=nothing.plan")

	a.drift()
	disturb(t, w, []string{a.interrupted})
	if text := run("apply", "-auto-approve"); !strings.Contains(text, a.changes) {
		t.Errorf("what others changed isn't mended, want %q:\n%s", a.changes, text)
	}
	isWhole("changes outside of Terraform")
	run("plan", "-detailed-exitcode")

	disturb(t, w, a.deletions)
	run("destroy", "-auto-approve")
	if difference := cmp.Diff(before, w.Existing(t)); difference != "" {
		t.Errorf("the destruction leaves something, or deletes what was there before (-before +after):\n%s", difference)
	}
	if left := w.FaultsLeft(t); left > 0 {
		t.Errorf("nothing met %d of the faults", left)
	}
	contents := leavesNoSecret(t, w.World, said.String(), r.Folder, traces)
	for _, wanted := range []string{"trace.log", "terraform.tfstate", "rest.plan!tfplan", "nothing.plan!tfstate"} {
		if !acctest.ContainsFile(contents, wanted) {
			t.Errorf("%s wasn't looked at", wanted)
		}
	}
}

// made counts by their kind the objects that weren't there before.
func made(t *testing.T, w *acctest.BranchWorld, before []string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, object := range w.Existing(t) {
		if kind, _, _ := strings.Cut(object, ":"); !slices.Contains(before, object) {
			counts[kind]++
		}
	}
	return counts
}

// disturb has each route refuse a request because of other work, and lose the next answer.
func disturb(t *testing.T, w *acctest.BranchWorld, routes []string) {
	t.Helper()
	for _, route := range routes {
		w.AddFault(t, acctest.Fault{Route: route, Kind: "status", Status: http.StatusLocked, Count: 1})
		w.AddFault(t, acctest.Fault{Route: route, Kind: "lost_after", Count: 1})
	}
}

// leavesNoSecret fails where something that Neon handed out in secret, or another of the secrets, is in a file below
// the folders or in what was said. It returns the contents of these files.
func leavesNoSecret(t *testing.T, w *acctest.World, said string, folders ...string) map[string][]byte {
	t.Helper()
	contents := map[string][]byte{"the terminal": []byte(said)}
	for _, folder := range folders {
		acctest.ReadTree(t, folder, contents)
	}
	secrets := append(w.Emulator.Secrets(), w.APIKey, "npg_", "nt_live_", "nsk_live_")
	for where, content := range contents {
		for _, secret := range secrets {
			if bytes.Contains(content, []byte(secret)) {
				t.Errorf("%s holds a secret that begins with %.8s", where, secret)
			}
		}
	}
	if len(secrets) < 8 {
		t.Errorf("only %d secrets were looked for", len(secrets))
	}
	return contents
}
