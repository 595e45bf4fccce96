package branch_test

import (
	"fmt"
	"net/http"
	"testing"

	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// A plan over five of many branches reads these, and not the list of all, which has 26 pages.
func TestAccBranch_fewOfMany(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	var made struct {
		ProjectIDs []string `json:"project_ids"`
	}
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "large", "count": 1,
		"branches": 2500}, &made)
	config := w.ProviderConfig()
	for i := range 5 {
		config += fmt.Sprintf("resource \"neon_branch\" \"b%d\" {\n project_id = %q\n name = \"mine-%d\"\n}\n", i,
			made.ProjectIDs[0], i)
	}
	count := func() {
		seen := w.Requests(t)
		if seen.Total == 0 || seen.Total > 20 {
			t.Errorf("a plan sent %d requests, want at most 20: %v", seen.Total, seen.ByRoute)
		}
		w.ForgetRequests(t)
	}
	parallelTest(t, acceptance.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: []acceptance.TestStep{
		{Config: config},
		{PreConfig: func() { w.ForgetRequests(t) }, Config: config, PlanOnly: true},
		{PreConfig: count, Config: config, PlanOnly: true},
	}})
}
