package provider_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// However many objects Neon lists in one answer, a plan over them takes the same few requests.
func TestAccTerraform_many(t *testing.T) {
	t.Parallel()
	const many = 12
	w := acctest.BranchWorldOf(t, emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone})
	var members []string
	for i := range many {
		id, _ := w.AddMember(t, fmt.Sprintf("max%d@example.com", i), "viewer")
		members = append(members, id)
		w.AssignVPCEndpoints(t, fmt.Sprintf("vpce-0a%d", i))
	}
	_, err := w.API.CreateBucket(t.Context(), w.ProjectID, w.MainBranch(t).ID, "media", "")
	w.Settle(t, nil, err)
	w.MakeFunction(t, w.ProjectID, w.MainBranch(t).ID, "api")
	ids, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	config := w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID), "requests_per_minute = 60000") + fmt.Sprintf("locals {\n members = %s\n}\n", ids)
	texts := strings.NewReplacer("$project", w.ProjectID, "$main", w.MainBranch(t).ID, "$n", "${count.index}", "$code", acctest.CodeFolder(t, "1"), `"$member"`, "local.members[count.index]")
	kinds := 0
	for name, resource := range toldResources(t) {
		if resource.Several != "" && resource.Few == "" {
			kinds++
			config += fmt.Sprintf("resource %q \"test\" {\n count = %d\n %s}\n", name, many, texts.Replace(resource.Several))
		}
	}
	r := acctest.NewRun(t, w.World, config)
	r.Terraform(t, "apply", "-auto-approve", "-parallelism=50")
	w.ForgetRequests(t)
	r.Terraform(t, "plan", "-detailed-exitcode", "-parallelism=50")
	sent := w.Requests(t)
	if len(sent.ByRoute) < kinds {
		t.Errorf("not all nouns were read: %v", sent.ByRoute)
	}
	for route, times := range sent.ByRoute {
		if times > 4 {
			t.Errorf("a plan over %d of each noun sent %s %d times, want at most 4", many, route, times)
		}
	}
}
