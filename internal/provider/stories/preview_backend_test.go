package stories_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A pull request has a function with a bucket: the function has the application's present secret, and the state never
// does.
func TestAccExamples_previewBackend(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	const first, second = "sk_first_e81b", "sk_second_77a0"
	r := acctest.NewExampleRun(t, w.World, "preview-backend").With("TF_VAR_project_id="+w.ProjectID,
		"TF_VAR_preview=pr-17", "TF_VAR_stripe_key="+first)
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

// Where production has a backend of the same names, previews have their own in one apply. One that is reset, and one
// that is deleted elsewhere, are repaired by one apply each, and production's backend stays as it is.
func TestAccExamples_previewBackendOfProduction(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w := acctest.BranchWorldOf(t, emulator.Config{})
	run := func(variables ...string) acctest.Run {
		return acctest.NewExampleRun(t, w.World, "preview-backend").With(append(variables, "TF_VAR_project_id="+w.ProjectID,
			"TF_VAR_stripe_key=sk_preview")...)
	}
	preview := func(number string) acctest.Run { return run("TF_VAR_preview=pr-" + number) }
	production := run()
	production.Terraform(t, "apply", "-auto-approve")
	place := client.BucketPlace{Branch: w.Ref(w.MainBranch(t).ID), Bucket: "uploads", Key: "users/1.png"}
	w.Upload(t, place, "", 1, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("x")), nil })
	before := w.Objects(t)
	previews := []acctest.Run{preview("17"), preview("18")}
	override := filepath.Join(previews[0].Folder, "override.tf")
	if err := os.WriteFile(override, []byte("resource \"neon_trigger\" \"uploaded\" {\n enabled = null\n}\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if said := acctest.InOneLine(previews[0].Terraform(t, "plan")); !acctest.InOrder(
		"It will run on the child branch (uploaded)", "enabled = false").MatchString(said) {
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
	if all := w.Objects(t); len(all.Functions) != 3 || len(all.Buckets) != 3 || len(all.Triggers) != 3 ||
		len(all.BucketObjects) != 3 {
		t.Errorf("there are %v, %v, %v and %v", all.Functions, all.Buckets, all.Triggers, all.BucketObjects)
	}
	w.ResetBranch(t, w.BranchNamed(t, "preview/pr-17").ID)
	w.DeleteBranch(t, w.BranchNamed(t, "preview/pr-18").ID)
	for _, r := range previews {
		apply(r)
		r.Terraform(t, "destroy", "-auto-approve")
	}
	w.CheckOnly(t, "main")
	if left := w.Objects(t); !reflect.DeepEqual(left.Functions, before.Functions) ||
		!reflect.DeepEqual(left.Buckets, before.Buckets) || !reflect.DeepEqual(left.Triggers, before.Triggers) {
		t.Errorf("production has %v, %v and %v", left.Functions, left.Buckets, left.Triggers)
	}
	production.Terraform(t, "plan", "-detailed-exitcode")
}

// The workflow applies production, and makes and removes previews beside it, each with a state of its own. The
// preview of the other workflow for the same pull request is left alone.
func TestAccExamples_previewBackendWorkflow(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.11.0")
	w, states := acctest.BranchWorldOf(t, emulator.Config{}), startStateBucket(t)
	var read workflow
	if err := yaml.Unmarshal([]byte(acctest.ReadExample(t, "preview-backend/workflow.yml")), &read); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{
		"secrets.NEON_API_KEY": w.APIKey, "secrets.STRIPE_KEY": "sk_e81b", "vars.NEON_PROJECT_ID": w.ProjectID,
		"vars.STATE_BUCKET": "states", "github.event.number": "17",
	}
	play := func(name, event string) {
		t.Helper()
		r := withMirror(t, acctest.NewExampleRun(t, w.World, "preview-backend")).With(states.environment()...)
		if err := os.Rename(filepath.Join(r.Folder, "backend.tf.example"),
			filepath.Join(r.Folder, "backend.tf")); err != nil {
			t.Fatal(err)
		}
		played := runner{workflow: read, run: r, values: values}
		for _, given := range []map[string]string{read.Env, read.Jobs[name].Env} {
			for variable, value := range given {
				r = r.With(variable + "=" + played.filled(t, value))
			}
		}
		for _, step := range read.Jobs[name].Steps {
			if arguments, isRun := strings.CutPrefix(step.Run, "terraform "); isRun &&
				(step.If == "" || step.If == "github.event.action "+event+" 'closed'") {
				arguments = played.filled(t, arguments)
				if strings.HasPrefix(arguments, "init ") {
					arguments += statesByPath
				}
				r.Terraform(t, strings.Fields(arguments)...)
			}
		}
	}
	w.MakeBranch(t, "preview/pr-17")
	play("production", "!=")
	play("preview", "!=")
	if all := w.Objects(t); len(all.Functions) != 2 || len(all.Triggers) != 2 {
		t.Errorf("there are %v and %v", all.Functions, all.Triggers)
	}
	play("preview", "==")
	if all := w.Objects(t); len(all.Functions) != 1 || len(all.Triggers) != 1 {
		t.Errorf("there are %v and %v", all.Functions, all.Triggers)
	}
	w.CheckOnly(t, "main", "preview/pr-17")
	if keys := states.keys(); !slices.Equal(keys, []string{"backend/pr-17.tfstate", "backend/production.tfstate"}) {
		t.Errorf("the bucket holds %q", keys)
	}
}
