package stories_test

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A pull request is opened, pushed to and closed. Its branch is created once: where
// one run has lost the state, the next imports the branch, whose expiry stays as it is.
func TestAccExamples_previewEnvironment(t *testing.T) {
	t.Parallel()
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewExampleRun(t, w.World, "preview-environment")
	const pullRequest = "-var=pull_request=17"
	id := func() string { return w.BranchNamed(t, "preview/pr-17").ID }

	project := "-var=project_id=" + w.ProjectID
	r.Terraform(t, "apply", "-auto-approve", project, pullRequest)
	opened := id()
	uri := r.Terraform(t, "output", "-raw", "database_url")
	if host := w.Endpoints(t, opened)[0].Host; !strings.Contains(uri, host) {
		t.Errorf("the connection string isn't that of %s", host)
	}
	if said := r.Terraform(t, "apply", "-auto-approve", project, pullRequest); !strings.Contains(said,
		"0 added, 0 changed, 0 destroyed") || id() != opened {
		t.Errorf("the second push changes the branch:\n%s", said)
	}
	expires := w.BranchNamed(t, "preview/pr-17").ExpiresAt
	w.Advance(t, time.Hour)
	again := acctest.NewExampleRun(t, w.World, "preview-environment")
	if said := again.Terraform(t, "apply", "-auto-approve", project, pullRequest); !strings.Contains(said,
		"1 imported, 0 added, 1 changed, 0 destroyed") || id() != opened {
		t.Errorf("without its state, the branch isn't imported:\n%s", said)
	}
	// The creation counts from its request, and the import from the second in which Neon created the branch.
	now := w.BranchNamed(t, "preview/pr-17").ExpiresAt
	if expires == nil || now == nil || now.Sub(*expires).Abs() > time.Minute {
		t.Errorf("the branch expired at %v, and now does at %v", expires, now)
	}
	if said := again.Terraform(t, "plan", project, pullRequest); !strings.Contains(said, "No changes.") {
		t.Errorf("the plan after the import isn't empty:\n%s", said)
	}
	again.Terraform(t, "destroy", "-auto-approve", project, pullRequest)
	w.CheckOnly(t, "main")
}
