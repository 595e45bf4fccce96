package release

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// workflow is what the tests look at of a file below .github/workflows.
type workflow struct {
	On   map[string]any `yaml:"on"`
	Jobs map[string]job `yaml:"jobs"`
}

type job struct {
	Needs    string `yaml:"needs"`
	Strategy struct {
		Matrix map[string]any `yaml:"matrix"`
	} `yaml:"strategy"`
	Steps []step `yaml:"steps"`
}

type step struct {
	Uses string            `yaml:"uses"`
	Run  string            `yaml:"run"`
	With map[string]any    `yaml:"with"`
	Env  map[string]string `yaml:"env"`
}

func readWorkflow(t *testing.T, name string) workflow {
	t.Helper()
	var w workflow
	if err := yaml.Unmarshal([]byte(read(t, root+"/.github/workflows/"+name+".yml")), &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// position is where a job's first step is whose action or command begins so.
func (j job) position(t *testing.T, begins string) int {
	t.Helper()
	at := slices.IndexFunc(j.Steps, func(s step) bool {
		return strings.HasPrefix(s.Uses, begins) || strings.HasPrefix(s.Run, begins)
	})
	if at < 0 {
		t.Fatalf("no step begins with %q", begins)
	}
	return at
}

// The first job of a release, which all others wait for, lets a tag through only
// where main has its commit. Its command is run here on a repository of both kinds.
func TestRelease_isOfMain(t *testing.T) {
	t.Parallel()
	w := readWorkflow(t, "release")
	if w.Jobs["release"].Needs != "test" || w.Jobs["test"].Needs != "tag" {
		t.Errorf("release needs %q, and that needs %q", w.Jobs["release"].Needs, w.Jobs["test"].Needs)
	}
	tag := w.Jobs["tag"]
	if depth := tag.Steps[0].With["fetch-depth"]; depth != 0 {
		t.Errorf("depth %v is fetched, which may lack main", depth)
	}
	check := strings.Fields(tag.Steps[tag.position(t, "git merge-base")].Run)

	folder := t.TempDir()
	git := func(arguments ...string) error {
		command := exec.CommandContext(t.Context(), "git", append([]string{"-C", folder, "-c", "user.name=n", "-c",
			"user.email=e"}, arguments...)...)
		return command.Run()
	}
	for _, arguments := range []string{
		"init --quiet --initial-branch=main", "commit --quiet --allow-empty -m first", "tag v1.0.0",
		"commit --quiet --allow-empty -m second", "update-ref refs/remotes/origin/main main",
		"checkout --quiet -b aside", "commit --quiet --allow-empty -m aside", "tag v1.0.1",
	} {
		if err := git(strings.Fields(arguments)...); err != nil {
			t.Fatalf("git %s: %v", arguments, err)
		}
	}
	for name, good := range map[string]bool{"v1.0.0": true, "main": true, "v1.0.1": false} {
		if err := git("checkout", "--quiet", name); err != nil {
			t.Fatal(err)
		}
		if err := git(check[1:]...); (err == nil) != good {
			t.Errorf("a release of %s: %v", name, err)
		}
	}
}

// What compiles other people's code runs before the key is unlocked and before any
// step has a token; nobody sees a release whose files aren't attested yet.
func TestRelease_goesFromToolsToDraftToPublished(t *testing.T) {
	t.Parallel()
	release := readWorkflow(t, "release").Jobs["release"]
	order := []string{
		"make release-tools", "crazy-max/ghaction-import-gpg", "make release NOTES", "actions/attest-build-provenance",
		"gh release edit",
	}
	at := make([]int, len(order))
	for i, begins := range order {
		at[i] = release.position(t, begins)
	}
	if !slices.IsSorted(at) {
		t.Errorf("%q are steps %v", order, at)
	}
	for i, s := range release.Steps[:at[0]+1] {
		for _, secret := range []string{"GITHUB_TOKEN", "GH_TOKEN"} {
			if s.Env[secret] != "" {
				t.Errorf("step %d has %s before the tools are built", i+1, secret)
			}
		}
	}
	if publish := release.Steps[at[4]]; !strings.Contains(publish.Run, "--draft=false") || at[4] != len(release.Steps)-1 {
		t.Errorf("the last step doesn't publish the draft: %s", publish.Run)
	}
	var config struct{ Release struct{ Draft bool } }
	if err := yaml.Unmarshal([]byte(read(t, root+"/.goreleaser.yml")), &config); err != nil || !config.Release.Draft {
		t.Errorf("goreleaser publishes at once (%v)", err)
	}
}

// Each system whose archives are shipped, and which GitHub has machines of, has the
// tests run on it.
func TestWorkflows_testEachSystem(t *testing.T) {
	t.Parallel()
	text := read(t, root+"/.github/workflows/test.yml")
	releaser := read(t, root+"/.goreleaser.yml")
	for system, runner := range map[string]string{"linux_amd64": "ubuntu-latest", "darwin_arm64": "macos-latest",
		"windows_amd64": "windows-latest"} {
		if !strings.Contains(releaser, system) || !regexp.MustCompile(`(runs-on|system): `+runner).MatchString(text) {
			t.Errorf("%s is shipped, and nothing is tested on %s", system, runner)
		}
	}
	systems := readWorkflow(t, "test").Jobs["systems"]
	systems.position(t, "go test -count=1")
}

// The database of vulnerabilities is on the internet, which `.ci/run` may not need.
func TestWorkflows_lookForVulnerabilities(t *testing.T) {
	t.Parallel()
	readWorkflow(t, "test").Jobs["vulnerabilities"].position(t, "make vulnerabilities")
	if strings.Contains(read(t, root+"/.ci/run"), "vulnerabilities") {
		t.Error(".ci/run asks vuln.go.dev")
	}
}

// What takes too long for every change runs every week.
func TestWorkflows_attackEveryWeek(t *testing.T) {
	t.Parallel()
	weekly := readWorkflow(t, "weekly")
	if weekly.On["schedule"] == nil {
		t.Error("weekly.yml has no schedule")
	}
	runs, _ := weekly.Jobs["long"].Strategy.Matrix["run"].([]any)
	for _, target := range []string{"make chaos", "make mutants", "make bench"} {
		if !slices.ContainsFunc(runs, func(run any) bool {
			text, _ := run.(string)
			return strings.HasPrefix(text, target)
		}) {
			t.Errorf("%s isn't among %v", target, runs)
		}
	}
}

// Workflows run what the GNUmakefile has.
func TestWorkflows_runTargetsThatExist(t *testing.T) {
	t.Parallel()
	makefile := read(t, root+"/GNUmakefile")
	found := 0
	for _, path := range glob(t, root+"/.github/workflows/*.yml") {
		for _, match := range regexp.MustCompile(
			`(?m)^\s*- (?:run: )?make ([a-z-]+)|^\s*run: make ([a-z-]+)`).FindAllStringSubmatch(read(t, path), -1) {
			found++
			if target := match[1] + match[2]; !strings.Contains(makefile, "\n.PHONY: "+target+"\n") {
				t.Errorf("%s runs make %s, which isn't there", path, target)
			}
		}
	}
	if found < 7 {
		t.Errorf("only %d targets were found", found)
	}
}
