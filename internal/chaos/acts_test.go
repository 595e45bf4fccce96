package chaos

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Something that an action leaves is an orphan unless an error has named it; that it was deleted names nothing that is
// there.
func TestReport_closeAct(t *testing.T) {
	t.Parallel()
	left := object{kind: branches, ID: "br-1", Name: "restore-rehearsal-x", ProjectID: "p"}
	old := object{kind: branches, ID: "br-2", ProjectID: "p"}
	other := object{kind: branches, ID: "br-3", ProjectID: "another"}
	const deleted = `The branch of the rehearsal, "restore-rehearsal-x" (br-1), was deleted`
	for name, test := range map[string]struct {
		words                     string
		done                      bool
		orphans, named, surprises int
	}{
		"not named":        {"", false, 1, 0, 0},
		"named by its id":  {"Branch br-1 could not be deleted", false, 0, 1, 0},
		"named by a name":  {`If a branch named "restore-rehearsal-x" is there, delete it`, false, 0, 1, 0},
		"said to be gone":  {deleted, false, 1, 0, 0},
		"not what it does": {"", true, 1, 0, 1},
	} {
		a := &act{action: "neon_x", given: map[string]cty.Value{"project_id": cty.StringVal("p")}, goes: []string{"br-2"},
			done: test.done}
		if test.words != "" {
			a.heardOf(&failure{test.words})
		}
		r := NewReport()
		r.closeAct(a, &platform{}, []object{left, old, other}, map[string]bool{"br-2": true})
		if len(r.Orphans) != test.orphans || r.Named != test.named || len(r.Surprises) != test.surprises {
			t.Errorf("%s: %q, %d named, %q", name, strings.Join(r.Orphans, ", "), r.Named, r.Surprises)
		}
	}
}
