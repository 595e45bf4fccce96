package stories_test

import (
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// The scheduled workflow fails without a snapshot, says how a restore went with one, and fails where the data isn't
// right. It leaves no branch.
func TestAccExamples_restoreRehearsalWorkflow(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, acctest.ActionsSince)
	w := &acctest.BranchWorld{World: acctest.StartDatabases(t)}
	w.API = w.Client(t)
	main := w.MainBranch(t).ID
	snapshotAfter := func(statement string) {
		t.Helper()
		uri, err := w.API.GetConnectionURI(t.Context(), w.ProjectID,
			client.ConnectionURIQuery{BranchID: main, DatabaseName: "neondb", RoleName: "neondb_owner"})
		if err == nil {
			err = (&sqlscript.Script{Path: "test", Statements: []sqlscript.Statement{{Text: statement}}}).Run(t.Context(), uri)
		}
		if err != nil {
			t.Fatal(err)
		}
		taken, err := client.OperationsOf(w.API.CreateSnapshot(t.Context(), w.Ref(main), client.SnapshotCreate{}))
		w.Settle(t, taken, err)
		w.Advance(t, time.Minute)
	}
	var read workflow
	if err := yaml.Unmarshal([]byte(acctest.ReadExample(t, "restore-rehearsal/workflow.yml")), &read); err != nil {
		t.Fatal(err)
	}
	r := withMirror(t, acctest.NewExampleRun(t, w.World, "restore-rehearsal"))
	played := runner{workflow: read, run: r, values: map[string]string{"secrets.NEON_API_KEY": w.APIKey,
		"vars.NEON_PROJECT_ID": w.ProjectID}}
	for name, value := range read.Env {
		r = r.With(name + "=" + played.filled(t, value))
	}
	weekly := func(run func(t *testing.T, arguments ...string) string, words ...string) {
		t.Helper()
		for _, step := range read.Jobs["rehearse"].Steps {
			arguments, isTerraform := strings.CutPrefix(step.Run, "terraform ")
			switch {
			case !isTerraform:
			case strings.HasPrefix(arguments, "apply"):
				said := acctest.InOneLine(run(t, strings.Fields(arguments)...))
				for _, text := range words {
					if !strings.Contains(said, text) {
						t.Errorf("%q isn't in %s", text, said)
					}
				}
			default:
				r.Terraform(t, strings.Fields(arguments)...)
			}
		}
		w.CheckOnly(t, "main")
	}
	weekly(r.Fails, "Branch "+main+" has no snapshot")
	snapshotAfter("CREATE TABLE orders AS SELECT id, now() - interval '1 hour' AS created_at FROM generate_series(1, 3) AS id")
	weekly(r.Terraform, "RTO: the restored data answered", "RPO: the data is of", "ok = true, orders = 3", "Done after")
	snapshotAfter("UPDATE orders SET created_at = created_at - interval '3 days'")
	weekly(r.Fails, "ok = false, orders = 3", "its first column isn't true", "was deleted")
}
