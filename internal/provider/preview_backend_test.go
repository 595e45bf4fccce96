package provider_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
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

// production makes the backend of the default branch, of the same names.
func production(t *testing.T, w *acctest.BranchWorld) {
	t.Helper()
	main := w.MainBranch(t).ID
	w.MakeFunction(t, w.ProjectID, main, "api")
	_, err := w.API.CreateBucket(t.Context(), w.ProjectID, main, "uploads", "")
	w.Settle(t, nil, err)
	place := client.BucketPlace{ProjectID: w.ProjectID, BranchID: main, Bucket: "uploads", Key: "users/1.png"}
	w.Upload(t, place, "", 1, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil })
	_, err = w.API.CreateTrigger(t.Context(), w.ProjectID, main, client.TriggerSpec{
		Type: "storage_object_created", FunctionSlug: "api", Name: "uploaded", Path: "/", Enabled: true, Object: &client.TriggerObject{Bucket: "uploads"},
	})
	w.Settle(t, nil, err)
}

// Where production has a backend of the same names, previews have their own in one apply. One that is reset, and one that is
// deleted elsewhere, are repaired by one apply each, and production's backend stays as it is.
func TestAccExamples_previewBackendOfProduction(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	production(t, w)
	before := w.Objects(t)
	preview := func(number string) acctest.Run {
		return acctest.NewExampleRun(t, w.World, "preview-backend").With("TF_VAR_project_id="+w.ProjectID, "TF_VAR_pull_request="+number, "TF_VAR_stripe_key=sk_preview")
	}
	previews := []acctest.Run{preview("17"), preview("18")}
	override := filepath.Join(previews[0].Folder, "override.tf")
	if err := os.WriteFile(override, []byte("resource \"neon_trigger\" \"uploaded\" {\n enabled = null\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := acctest.InOneLine(previews[0].Terraform(t, "plan")); !acctest.InOrder("It will run on the child branch (uploaded)", "enabled = false").MatchString(said) {
		t.Errorf("the plan says nothing of the trigger: %s", said)
	}
	if err := os.Remove(override); err != nil {
		t.Fatal(err)
	}
	apply := func(r acctest.Run) {
		t.Helper()
		if said := r.Terraform(t, "apply", "-auto-approve"); strings.Contains(said, "It will run on the child branch") {
			t.Errorf("it warns: %s", said)
		}
		r.Terraform(t, "plan", "-detailed-exitcode")
	}
	for _, r := range previews {
		apply(r)
	}
	if all := w.Objects(t); len(all.Functions) != 3 || len(all.Buckets) != 3 || len(all.Triggers) != 3 || len(all.BucketObjects) != 3 {
		t.Errorf("there are %v, %v, %v and %v", all.Functions, all.Buckets, all.Triggers, all.BucketObjects)
	}
	w.ResetBranch(t, w.BranchNamed(t, "preview/pr-17").ID)
	w.DeleteBranch(t, w.BranchNamed(t, "preview/pr-18").ID)
	for _, r := range previews {
		apply(r)
		r.Terraform(t, "destroy", "-auto-approve")
	}
	w.CheckOnly(t, "main")
	if left := w.Objects(t); !reflect.DeepEqual(left.Functions, before.Functions) || !reflect.DeepEqual(left.Buckets, before.Buckets) || !reflect.DeepEqual(left.Triggers, before.Triggers) {
		t.Errorf("production has %v, %v and %v", left.Functions, left.Buckets, left.Triggers)
	}
}
