package provider_test

import (
	"fmt"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A pull request has a function with a bucket and a credential of their own: the function has the credential's present
// secret, also after that got another one or was replaced, and the state never does.
func TestAccExamples_previewBackend(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	r := acctest.NewExampleRun(t, w.World, "preview-backend").With("TF_VAR_project_id="+w.ProjectID, "TF_VAR_pull_request=17")
	hasSecret := func() (secret string) {
		t.Helper()
		all := w.Objects(t)
		if len(all.Functions) != 1 || len(all.Credentials) != 1 || len(all.Buckets) != 1 || len(all.Triggers) != 1 {
			t.Fatalf("there are %v, %v, %v and %v", all.Functions, all.Credentials, all.Buckets, all.Triggers)
		}
		secrets, err := w.API.RevealCredential(t.Context(), w.ProjectID, fmt.Sprint(all.Credentials[0]["branch_id"]), fmt.Sprint(all.Credentials[0]["id"]))
		w.Settle(t, nil, err)
		variables, _ := all.Functions[0]["environment"].(map[string]any)
		if variables["AWS_SECRET_ACCESS_KEY"] != secrets.S3SecretAccessKey || variables["AWS_ACCESS_KEY_ID"] != all.Credentials[0]["id"] {
			t.Errorf("the function doesn't have the credential's present key: %v", variables)
		}
		return secrets.S3SecretAccessKey
	}
	r.Terraform(t, "apply", "-auto-approve")
	first := hasSecret()
	r.Terraform(t, "plan", "-detailed-exitcode")
	r.Terraform(t, "apply", "-auto-approve", "-var=secrets_version=2")
	if hasSecret() == first {
		t.Error("the credential has the same secret")
	}
	r.Terraform(t, "apply", "-auto-approve", "-var=secrets_version=2", "-replace=neon_service_credential.api")
	hasSecret()
	r.Terraform(t, "plan", "-detailed-exitcode", "-var=secrets_version=2")
	leavesNoSecret(t, w.World, "", r.Folder)
	r.Terraform(t, "destroy", "-auto-approve")
	w.CheckOnly(t, "main")
}
