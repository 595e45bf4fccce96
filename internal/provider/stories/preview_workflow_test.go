package stories_test

import (
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

const previewStep = "./preview-environment/preview.sh "

// statesByPath has the bucket's name in the path: in the host's name it would have to
// be resolved.
const statesByPath = " -backend-config=use_path_style=true"

var workflowExpression = regexp.MustCompile(`\$\{\{ (\S+) \}\}`)

// workflow is what the test knows of a workflow's file.
type workflow struct {
	On struct {
		Call struct{ Inputs map[string]input } `yaml:"workflow_call"`
	}
	Env  map[string]string
	Jobs map[string]job
}

type input struct {
	Default  string
	Required bool
}

type job struct {
	// With and Secrets are what a job hands to the workflow that it calls.
	With, Secrets map[string]string
	Env           map[string]string
	Steps         []step
}

type step struct {
	If, Run string
	Env     map[string]string
}

// runner runs the jobs of the preview environment's workflow, each in a checkout of
// its own, as GitHub's would.
type runner struct {
	workflow workflow
	run      acctest.Run
	bash     string
	// values are what the expressions in the workflow stand for.
	values map[string]string
	// posted is the comment that the last job would have posted.
	posted *string
	// variables is where steps leave what the job's later steps have in their
	// environment.
	variables string
}

func newRunner(t *testing.T, w *acctest.BranchWorld, environment ...string) runner {
	t.Helper()
	acctest.NeedsTerraform(t, "1.10.0") // use_lockfile
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	program, err := exec.LookPath(acctest.TerraformProgram())
	if err != nil || strings.TrimSuffix(filepath.Base(program), ".exe") != "terraform" {
		t.Skipf("the script runs terraform, and this is %q (%v)", program, err)
	}
	r := runner{bash: bash, posted: new(string), variables: filepath.Join(t.TempDir(), "github.env")}
	var caller workflow
	for file, read := range map[string]*workflow{"workflow.yml": &r.workflow, "caller.yml": &caller} {
		if err := yaml.Unmarshal([]byte(acctest.ReadExample(t, "preview-environment/"+file)), read); err != nil {
			t.Fatal(err)
		}
	}
	key, err := client.ObjectOf(w.API.CreateAPIKey(t.Context(), client.APIKeyScope{OrgID: w.OrgID, ProjectID: w.ProjectID},
		"preview"))
	if err != nil {
		t.Fatal(err)
	}
	r.values = map[string]string{
		"secrets.NEON_API_KEY": key.Key, "vars.NEON_PROJECT_ID": w.ProjectID, "github.event.number": "17",
		"vars.STATE_BUCKET": "states", "vars.STATE_ROLE_ARN": "arn:aws:iam::123456789012:role/states",
	}
	r.call(t, caller.Jobs["preview"])
	r.run = withMirror(t, acctest.NewExampleRun(t, w.World, "preview-environment"))
	r.run.Environment = slices.Concat(r.run.Environment, environment, []string{
		"GITHUB_ENV=" + r.variables, "PATH=" + filepath.Dir(program) + string(filepath.ListSeparator) + os.Getenv("PATH"),
	})
	for _, name := range slices.Sorted(maps.Keys(r.workflow.Env)) {
		value := r.filled(t, r.workflow.Env[name])
		if name == "TF_CLI_ARGS_init" {
			value += statesByPath
		}
		r.run.Environment = append(r.run.Environment, name+"="+value)
	}
	return r
}

// call gives the workflow its inputs and secrets, as the job does that calls it.
func (r runner) call(t *testing.T, caller job) {
	t.Helper()
	for name, given := range caller.Secrets {
		r.values["secrets."+name] = r.filled(t, given)
	}
	for name, input := range r.workflow.On.Call.Inputs {
		given, ok := caller.With[name]
		if input.Required && !ok {
			t.Errorf("the input %s is missing", name)
		}
		r.values["inputs."+name] = r.filled(t, cmp.Or(given, input.Default))
	}
}

// filled is a text of a workflow with values in place of its expressions.
func (r runner) filled(t *testing.T, text string) string {
	t.Helper()
	return workflowExpression.ReplaceAllStringFunc(text, func(expression string) string {
		known, ok := r.values[workflowExpression.FindStringSubmatch(expression)[1]]
		if !ok {
			t.Errorf("the test knows no value of %s", expression)
		}
		return known
	})
}

// job runs the job's steps that are the example's, and gives what they say.
func (r runner) job(t *testing.T, name string) string {
	t.Helper()
	checkout := t.TempDir()
	folder := filepath.Join(checkout, "preview-environment")
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(acctest.ExamplesDir, "preview-environment"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(folder, "backend.tf.example"), filepath.Join(folder, "backend.tf")); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, step := range r.workflow.Jobs[name].Steps {
		if !strings.HasPrefix(step.Run, previewStep) {
			continue
		}
		command := exec.CommandContext(t.Context(), r.bash, "-e", "-c", step.Run)
		command.Dir, command.Env = checkout, slices.Clone(r.run.Environment)
		for name, value := range step.Env {
			command.Env = append(command.Env, name+"="+r.filled(t, value))
		}
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", step.Run, err, output)
		}
		said.Write(output)
	}
	comment, _ := os.ReadFile(filepath.Join(folder, "schema.md")) // Only one job writes it.
	*r.posted = string(comment)
	if said.Len() == 0 {
		t.Fatalf("the job %s has no step of the example", name)
	}
	return said.String()
}

// A pull request is opened, pushed to and closed, as the workflow has it: with a key
// of the one project, in a new checkout each time, so that only the bucket keeps the
// state. The connection string is shown to nobody but the runner.
func TestAccExamples_previewWorkflow(t *testing.T) {
	t.Parallel()
	w, states := acctest.BranchWorldOf(t, emulator.Config{}), startStateBucket(t)
	r := newRunner(t, w, states.environment()...)

	said := r.job(t, "up")
	opened := w.BranchNamed(t, "preview/pr-17").ID
	given, err := os.ReadFile(r.variables)
	if err != nil {
		t.Fatal(err)
	}
	url, ok := strings.CutPrefix(strings.TrimSpace(string(given)), "DATABASE_URL=")
	if !ok || !strings.Contains(url, w.Endpoints(t, opened)[0].Host) {
		t.Errorf("the job gets %q", given)
	}
	checkMasked(t, said, url)
	if *r.posted != "This pull request leaves the schema as it is.\n" {
		t.Errorf("posted is %q", *r.posted)
	}
	if keys := states.keys(); !slices.Equal(keys, []string{"preview/pr-17.tfstate"}) {
		t.Errorf("the bucket holds %q", keys)
	}

	if said := r.job(t, "up"); !strings.Contains(said, "0 added, 0 changed, 0 destroyed") ||
		w.BranchNamed(t, "preview/pr-17").ID != opened {
		t.Errorf("the push changes the branch:\n%s", said)
	}
	// Closing it deletes the branch, also where the one that its data came from has another name by now.
	trunk := "trunk"
	renamed, err := client.OperationsOf(w.API.UpdateBranch(t.Context(), w.Ref(w.MainBranch(t).ID),
		client.BranchUpdate{Name: &trunk}))
	w.Settle(t, renamed, err)
	r.job(t, "down")
	w.CheckOnly(t, trunk)
}

// checkMasked finds the connection string and its password nowhere but where the
// runner is told to mask them.
func checkMasked(t *testing.T, log, url string) {
	t.Helper()
	_, rest, _ := strings.Cut(url, "://")
	_, rest, _ = strings.Cut(rest, ":")
	password, _, _ := strings.Cut(rest, "@")
	for line := range strings.Lines(log) {
		if strings.Contains(line, password) && !strings.HasPrefix(line, "::add-mask::") {
			t.Errorf("the log shows the password: %s", line)
		}
	}
	for _, secret := range []string{url, password} {
		if !strings.Contains(log, "::add-mask::"+secret+"\n") {
			t.Error("the connection string or its password isn't masked")
		}
	}
}
