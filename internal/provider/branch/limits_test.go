package branch_test

import (
	"fmt"
	"maps"
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
	got := p.PlanCreation(t, "neon_anonymized_branch", maskedValues(w, "masked", "neondb"))
	if !strings.Contains(got, "11 of the 10 branches") {
		t.Errorf("an anonymized one says %q", got)
	}
}

// The list in which a plan looks for the name says how many there are as well: one that was read already serves for
// both, and nothing else is asked.
func TestLimits_requests(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{Plan: emulator.PlanLaunch})
	for i := range 3 {
		w.MakeRoot(t, fmt.Sprint("root", i))
	}
	for isListed, want := range map[bool]map[string]int{
		true:  {"GET /api/v2/projects/{project_id}": 1},
		false: {"GET /api/v2/projects/{project_id}": 1, "GET /api/v2/projects/{project_id}/branches": 1},
	} {
		p := acctest.NewProtocol(t, w.World)
		if isListed {
			readAll(t, w, p)
		}
		w.ForgetRequests(t)
		if got := planned(t, w, p, "a", "schema-only"); !strings.Contains(got, "takes the last place") {
			t.Errorf("with the list: %t, it says %q", isListed, got)
		}
		if got := w.Requests(t).ByRoute; !maps.Equal(got, want) {
			t.Errorf("with the list: %t, it reads %v, want %v", isListed, got, want)
		}
	}
}

// A name that another branch has is told by the plan, of a new branch and of a new name. A branch that the state has
// may be gone by then, as one that is tainted: Terraform plans its creation as if it weren't there.
func TestBranch_takenNameAtPlan(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	taken, own := w.MakeBranch(t, "taken"), w.MakeBranch(t, "own")
	p := acctest.NewProtocol(t, w.World)
	if got := planned(t, w, p, "free", ""); got != "" {
		t.Errorf("a free name says %q", got)
	}
	if got := planned(t, w, p, "taken", ""); !acctest.InOrder("The name is taken", taken.ID, "import {",
		w.ProjectID+"/"+taken.ID).MatchString(got) {
		t.Errorf("a taken name says %q", got)
	}
	if got := planned(t, w, p, "main", ""); !acctest.InOrder("The name is taken",
		"configure it there, or choose another name").MatchString(got) {
		t.Errorf("the default branch's name says %q", got)
	}
	read := p.Imported(t, "neon_branch", map[string]string{"project_id": w.ProjectID, "id": own.ID})
	renamed := func(name string) string {
		return p.PlanUpdate(t, "neon_branch", read,
			acctest.Texts(map[string]string{"project_id": w.ProjectID, "name": name}))
	}
	if got := renamed("free"); strings.Contains(got, "The name is taken") {
		t.Errorf("a free new name says %q", got)
	}
	if got := renamed("taken"); !acctest.InOrder("The name is taken", taken.ID,
		"Otherwise choose another name").MatchString(got) {
		t.Errorf("a taken new name says %q", got)
	}
	if got := planned(t, w, p, "own", ""); got != "" {
		t.Errorf("the name of one that the state has says %q", got)
	}
}
