package claimable_test

import (
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The id of a claimable database opens it, and so does its claim URL, which ends with
// the id. Neither is on the terminal or in the most talkative log, not even where
// something fails; and what is ephemeral isn't in a plan file or the state either.
func TestAccClaimableDatabase_isKnownToNobodyElse(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.10.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	w.MaxRetries = 1
	traces := t.TempDir()
	environment := []string{"TF_LOG=TRACE", "TF_LOG_PATH=" + filepath.Join(traces, "trace.log")}
	kept := acctest.NewRun(t, w, w.ProviderConfig()+`
resource "neon_claimable_database" "test" {
  ref = "test"
}
data "neon_claimable_database" "test" {
  id = neon_claimable_database.test.id
}
output "claim_url" {
  value     = data.neon_claimable_database.test.claim_url
  sensitive = true
}
`, environment...)
	passing := acctest.NewRun(t, w, w.ProviderConfig()+`
ephemeral "neon_claimable_database" "test" {
  ref = "test"
}
resource "terraform_data" "test" {
  provisioner "local-exec" {
    command     = "test -n \"$CLAIM\" && test -n \"$ID\""
    environment = { CLAIM = ephemeral.neon_claimable_database.test.claim_url,
      ID = ephemeral.neon_claimable_database.test.id }
  }
}
`, environment...)
	var said strings.Builder
	for _, command := range [][]string{
		{"plan", "-out=create.plan"}, {"show", "create.plan"}, {"apply", "create.plan"}, {"apply", "-auto-approve"}, {"show"},
		{"output"}, {"destroy", "-auto-approve"},
	} {
		for _, r := range []acctest.Run{kept, passing} {
			said.WriteString(r.Terraform(t, command...))
		}
	}
	kept.Terraform(t, "apply", "-auto-approve")
	for _, f := range []acctest.Fault{{Kind: "status", Status: 500}, {Kind: "status", Status: 422}, {Kind: "cut_body"}} {
		f.Route = "GET /api/v1/database/{id}"
		w.AddFault(t, f)
		output := kept.Fails(t, "plan")
		if !strings.Contains(output, "Unable to read claimable database") {
			t.Errorf("got %s", output)
		}
		said.WriteString(output)
		w.Control(t, http.MethodDelete, "/_emulator/faults", nil, nil)
	}
	contents := map[string][]byte{"the terminal": []byte(said.String())}
	acctest.ReadTree(t, traces, contents)
	acctest.ReadTree(t, passing.Folder, contents)
	if !acctest.ContainsFile(contents, "trace.log") || !acctest.ContainsFile(contents, "create.plan!tfplan") {
		t.Error("the log or the plan file wasn't looked at")
	}
	ids := regexp.MustCompile(`/claim/([0-9a-f-]{36})`)
	databases := w.Objects(t).ClaimableDatabases
	if len(databases) < 4 {
		t.Fatalf("there are %d databases", len(databases))
	}
	for name, content := range contents {
		for _, database := range databases {
			if at := bytes.Index(content, fmt.Append(nil, database["id"])); at >= 0 {
				t.Errorf("an id is in %s: %s", name, fmt.Sprintf("%.300s", content[max(at-200, 0):]))
			}
		}
		if found := ids.Find(content); found != nil {
			t.Errorf("%s is in %s", found, name)
		}
	}
}
