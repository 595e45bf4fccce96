package branch_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// readAll reads so many branches at once that they share a list, as a refresh does.
func readAll(t *testing.T, w *acctest.BranchWorld, p acctest.Protocol) {
	t.Helper()
	var reads sync.WaitGroup
	for _, branch := range w.Branches(t) {
		reads.Go(func() {
			p.ImportAndRead(t, "neon_branch", map[string]string{"project_id": w.ProjectID, "id": branch.ID})
		})
	}
	reads.Wait()
}

// planned is what the plan of a new branch says.
func planned(t *testing.T, w *acctest.BranchWorld, p acctest.Protocol, name, source string) string {
	t.Helper()
	given := acctest.Texts(map[string]string{"project_id": w.ProjectID})
	if name != "" {
		given["name"] = acctest.Text(name)
	}
	if source != "" {
		given["init_source"] = acctest.Text(source)
	}
	kind := p.Schema.ResourceSchemas["neon_branch"].ValueType().(tftypes.Object)
	for _, computed := range []string{"id"} {
		given[computed] = tftypes.NewValue(kind.AttributeTypes[computed], nil)
	}
	return p.PlanCreation(t, "neon_branch", given)
}

// The plan of a branch that takes the last place says so, and that of one too many, with several in one plan. What is
// planned twice counts once.
func TestLimits(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanLaunch})
	for i := range 2 {
		w.MakeRoot(t, fmt.Sprint("root", i))
	}
	for i := range 3 {
		w.MakeBranch(t, fmt.Sprint("child", i))
	}
	p := acctest.NewProtocol(t, w.World)
	readAll(t, w, p)
	for _, test := range []struct{ name, source, want string }{
		{"a", "schema-only", ""},
		{"child", "", ""},
		{"a", "schema-only", ""},
		{"b", "schema-only", "4 of the 5 root branches of project " + w.ProjectID + " are taken, with those that this plan creates. This branch takes the last place."},
		{"c", "schema-only", "5 of the 5 root branches of project " + w.ProjectID + " are taken, with those that this plan creates. This branch is one more, which Neon will refuse"},
		{"", "schema-only", "6 of the 5 root branches"},
		{"b", "schema-only", "4 of the 5 root branches"},
	} {
		got := planned(t, w, p, test.name, test.source)
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s from %q says %q, want %q", test.name, test.source, got, test.want)
		}
	}
}

// Neon says how many branches a project may have.
func TestLimits_branches(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanFree})
	for i := range 9 - len(w.Branches(t)) {
		w.MakeBranch(t, fmt.Sprint("child", i))
	}
	p := acctest.NewProtocol(t, w.World)
	readAll(t, w, p)
	for name, want := range map[string]string{"last": "9 of the 10 branches"} {
		if got := planned(t, w, p, name, ""); !strings.Contains(got, want) {
			t.Errorf("%s says %q, want %q", name, got, want)
		}
	}
	if got := planned(t, w, p, "more", ""); !strings.Contains(got, "10 of the 10 branches") {
		t.Errorf("one more says %q", got)
	}
}

// Without the list a plan says nothing of limits, and with it, it reads no more than without.
func TestLimits_noRequests(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanLaunch})
	for i := range 3 {
		w.MakeRoot(t, fmt.Sprint("root", i))
	}
	var sent []map[string]int
	for _, isListed := range []bool{false, true} {
		p := acctest.NewProtocol(t, w.World)
		if isListed {
			readAll(t, w, p)
		}
		w.ForgetRequests(t)
		got := planned(t, w, p, "a", "schema-only")
		if strings.Contains(got, "takes the last place") != isListed || !isListed && got != "" {
			t.Errorf("with the list: %t, it says %q", isListed, got)
		}
		sent = append(sent, w.Requests(t).ByRoute)
	}
	if routes := slices.Collect(maps.Keys(sent[0])); !maps.Equal(sent[0], sent[1]) ||
		!slices.Equal(routes, []string{"GET /api/v2/projects/{project_id}"}) {
		t.Errorf("it reads %v, and with the list %v", sent[0], sent[1])
	}
}
