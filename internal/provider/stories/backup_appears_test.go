package stories_test

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// The backup of a restored branch, which takes over its children, may not be there for a moment.
// Neither the action that restores nor the plan of a child takes it for gone.
func TestAccActions_backupAppears(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "backup-appears", func(t *testing.T, played emulator.Config) {
		t.Parallel()
		played.OperationDuration = 500 * time.Millisecond
		w := acctest.BranchWorldOf(t, played)
		parent, source := w.ActionBranch(t, "parent"), w.MakeBranch(t, "source")
		config := w.BranchConfig("name = \"child\"\n parent_id = \"" + parent.ID + "\"")
		acctest.RunSteps(t, w.World,
			acctest.Planned(config, plancheck.ResourceActionCreate),
			resource.TestStep{
				PreConfig: func() {
					_, err := w.API.RestoreBranch(t.Context(), w.Ref(parent.ID),
						client.BranchRestore{SourceID: source.ID, PreserveUnderName: "kept"})
					if err != nil {
						t.Fatal(err)
					}
				},
				Config: w.BranchConfig(`name = "child"`), ConfigPlanChecks: acctest.ExpectAction(acctest.BranchAddress,
					plancheck.ResourceActionNoop),
			},
		)
		invoked := acctest.NewProtocol(t, w.World).Invoke(t,
			parent.Action("restore_branch", "branch_id", parent.ID, "source_branch_id", source.ID, "preserve_under_name",
				"again"), nil)
		if again := w.BranchNamed(t, "again"); invoked.Problem != "" || !invoked.Says(again.ID) {
			t.Errorf("said is %v", invoked)
		}
	})
}
