package stories_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What Neon still works on when Ctrl-C ends the wait stays: the next apply neither replaces a project, nor takes
// another snapshot, of a later moment. An anonymized branch is tainted, as its data may not be masked.
func TestAccTerraform_interruptedCreation(t *testing.T) {
	t.Parallel()
	const kept, unchanged = "and the next apply does what is left", "No changes."
	for name, test := range map[string]struct {
		config     func(w mistakeWorld) string
		says, next string
	}{
		"project": {
			func(w mistakeWorld) string {
				return w.inOrg("neon_project", "name = \"p\"\ndeletion_protection = true")
			},
			kept, unchanged,
		},
		"snapshot": {
			func(w mistakeWorld) string {
				return w.inBranch("neon_snapshot", w.main, "name = \"s\"\ndeletion_protection = true")
			},
			kept, unchanged,
		},
		"database": {
			func(w mistakeWorld) string {
				return w.inBranch("neon_database", w.main, "name = \"d\"\nowner_name = \"neondb_owner\"")
			},
			kept, unchanged,
		},
		"anonymized branch": {
			func(w mistakeWorld) string {
				return w.inProject("neon_anonymized_branch", "name = \"a\"\n"+`masking_rules = [{ database_name = "neondb", `+
					`schema_name = "public", table_name = "t", column_name = "c", masking_value = "1" }]`)
			},
			"don't connect to the branch", "must be replaced",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := mistakeWorld{BranchWorld: acctest.BranchWorldOf(t, emulator.Config{OperationDuration: 10 * time.Minute})}
			w.main = w.MainBranch(t).ID
			r := acctest.NewRun(t, w.World, w.ProviderConfig()+test.config(w))
			before := len(w.Existing(t))
			said, _ := r.SignaledWhen(t, os.Interrupt, func() bool { return len(w.Existing(t)) > before }, "apply",
				"-auto-approve")
			if said = acctest.InOneLine(said); !strings.Contains(said, test.says) {
				t.Errorf("the interruption doesn't say %q:\n%s", test.says, said)
			}
			w.Advance(t, time.Hour)
			if said := r.Terraform(t, "plan"); !strings.Contains(said, test.next) {
				t.Errorf("the plan doesn't say %q:\n%s", test.next, said)
			}
		})
	}
}
