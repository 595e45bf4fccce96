package stories_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// Where a list that count reads loses its first element, each object takes the name of the next one, and the last is
// destroyed. The plan says so of what has data: the names would then lead to other data. A free name is nobody's.
func TestAccTerraform_shiftedNames(t *testing.T) {
	t.Parallel()
	for kind, more := range map[string]string{
		"neon_branch":   "",
		"neon_database": `owner_name = "neondb_owner"`,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewBranchWorld(t)
			if kind == "neon_database" {
				more += fmt.Sprintf("\n  branch_id = %q", w.MainBranch(t).ID)
			}
			config := func(names string) string {
				return fmt.Sprintf("locals { names = [%s] }\n\nresource %q \"each\" {\n  count = length(local.names)\n  "+
					"project_id = %q\n  name = local.names[count.index]\n  %s\n}\n", names, kind, w.ProjectID, more)
			}
			r := acctest.NewRun(t, w.World, config(`"a", "b", "c"`))
			r.Terraform(t, "apply", "-auto-approve")
			for names, takes := range map[string]string{
				`"b", "c"`:      `"a"[^"]*"b"|"b"[^"]*"c"`,
				`"a", "c", "b"`: `"b"[^"]*"c"|"c"[^"]*"b"`,
				`"a", "b"`:      "",
				`"a", "d", "c"`: "",
			} {
				r.Configure(t, config(names))
				said := acctest.InOneLine(r.Terraform(t, "plan"))
				isSaid := strings.Contains(said, "The new name is another's now")
				if isSaid != (takes != "") ||
					isSaid && !regexp.MustCompile(`The new name of [^"]*(`+takes+`),`).MatchString(said) {
					t.Errorf("%s: the plan says:\n%s", names, said)
				}
			}
		})
	}
}
