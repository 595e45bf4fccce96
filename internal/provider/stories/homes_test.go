package stories_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// An endpoint has one home: two resources that configure it differently would change it to and fro.
func TestAccEndpoint_twoHomes(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	main := w.MainBranch(t)
	writer, branch := w.Endpoints(t, main.ID)[0], w.MakeBranch(t, "b")
	replica := w.MakeEndpoint(t, branch.ID, client.EndpointReadOnly)
	imported := func(kind, id, lines string) string {
		return fmt.Sprintf("resource %[1]q \"x\" {\n%[3]s\n}\nimport {\n to = %[1]s.x\n id = %[2]q\n}\n", kind, id, lines)
	}
	endpoint := func(of client.Endpoint, lines string) string {
		return imported("neon_endpoint", w.ProjectID+"/"+of.ID,
			fmt.Sprintf("project_id = %q\n branch_id = %q\n type = %q\n%s", w.ProjectID, of.BranchID, of.Type, lines))
	}
	project := func(lines string) string {
		return imported("neon_project", w.ProjectID, "default_branch = { endpoint = { "+lines+" } }")
	}
	inBranch := func(lines string) string {
		return imported("neon_branch", w.ProjectID+"/"+branch.ID,
			fmt.Sprintf("project_id = %q\n name = \"b\"\n endpoints = { replica = { type = \"read_only\"%s } }", w.ProjectID,
				lines))
	}
	refused := func(config, setting string, of client.Endpoint) resource.TestStep {
		return resource.TestStep{
			Config:      w.ProviderConfig() + config,
			ExpectError: acctest.InWords("Two settings for one endpoint (" + of.ID + ", " + setting + ")"),
		}
	}
	acctest.RunSteps(t, w.World,
		refused(project("autoscaling_limit_max_cu = 1")+endpoint(writer, "autoscaling_limit_max_cu = 2"),
			"autoscaling_limit_max_cu", writer),
		refused(project("disabled = true")+endpoint(writer, ""), "disabled", writer),
		refused(inBranch(", suspend_timeout_seconds = 600")+endpoint(replica, "suspend_timeout_seconds = 900"),
			"suspend_timeout_seconds", replica),
		resource.TestStep{Config: w.ProviderConfig() + project("autoscaling_limit_max_cu = 2") +
			endpoint(writer, "autoscaling_limit_max_cu = 2\n name = \"rw\"")},
		refused(project("autoscaling_limit_max_cu = 1")+endpoint(writer, "autoscaling_limit_max_cu = 2\n name = \"rw\""),
			"autoscaling_limit_max_cu", writer),
		resource.TestStep{Config: w.ProviderConfig() +
			"removed {\n from = neon_endpoint.x\n lifecycle {\n destroy = false\n }\n}\n" +
			"removed {\n from = neon_project.x\n lifecycle {\n destroy = false\n }\n}\n"},
	)
}
