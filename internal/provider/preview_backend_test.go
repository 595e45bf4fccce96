package provider_test

import (
	"bytes"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A pull request has a function with a bucket: the function has the application's present secret, and the state never does.
func TestAccExamples_previewBackend(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const first, second = "sk_first_e81b", "sk_second_77a0"
	r := acctest.NewExampleRun(t, w.World, "preview-backend").With("TF_VAR_project_id="+w.ProjectID, "TF_VAR_pull_request=17", "TF_VAR_stripe_key="+first)
	has := func(secret string) {
		t.Helper()
		all := w.Objects(t)
		if len(all.Functions) != 1 || len(all.Buckets) != 1 || len(all.Triggers) != 1 || len(all.Credentials) != 0 {
			t.Fatalf("there are %v, %v, %v and %v", all.Functions, all.Buckets, all.Triggers, all.Credentials)
		}
		variables, _ := all.Functions[0]["environment"].(map[string]any)
		if len(variables) != 2 || variables["STRIPE_KEY"] != secret || variables["BUCKET"] != "uploads" {
			t.Errorf("the function has %v", variables)
		}
	}
	r.Terraform(t, "apply", "-auto-approve")
	has(first)
	r.Terraform(t, "plan", "-detailed-exitcode")
	r = r.With("TF_VAR_stripe_key=" + second)
	r.Terraform(t, "plan", "-detailed-exitcode")
	r.Terraform(t, "apply", "-auto-approve", "-var=secrets_version=2")
	has(second)
	r.Terraform(t, "plan", "-detailed-exitcode", "-var=secrets_version=2")
	contents := map[string][]byte{}
	acctest.ReadTree(t, r.Folder, contents)
	for where, content := range contents {
		if bytes.Contains(content, []byte(first)) || bytes.Contains(content, []byte(second)) {
			t.Errorf("%s holds the secret", where)
		}
	}
	r.Terraform(t, "destroy", "-auto-approve")
	w.CheckOnly(t, "main")
}
