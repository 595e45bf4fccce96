package docs

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// withoutNeon is the folder of the guide's examples.
const withoutNeon = root + "/examples/neon-without-neon"

// reader is somebody who follows the guide: they have an emulator and the programs that the
// guide's examples take.
type reader struct {
	t           *testing.T
	folder      string
	environment []string
}

// follow has a reader begin with an emulator of their own.
func follow(t *testing.T, programs ...string) (*reader, *emulator.Emulator) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the examples are for a Unix shell")
	}
	clients, err := filepath.Abs(root + "/tools/clients/node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{t: t, environment: append(os.Environ(), "PATH="+clients+":"+os.Getenv("PATH"), "CI=true", "NO_COLOR=1",
		compiledOnce())}
	if r.folder, err = filepath.Abs(withoutNeon); err != nil {
		t.Fatal(err)
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil && !isFile(filepath.Join(clients, program)) {
			t.Skipf("this needs %s", program)
		}
	}
	config := emulator.Config{OperationDuration: time.Millisecond, Conflicts: emulator.ConflictsNone}
	if found, err := postgres.FindPrograms(t.Context()); err == nil {
		if config.Postgres, err = postgres.Prepare(t.Context(), found); err != nil {
			t.Fatal(err)
		}
	}
	e, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		server.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if err := config.Postgres.Close(); err != nil {
			t.Error(err)
		}
	})
	r.set(e.Environment(server.URL))
	return r, e
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

// set takes over lines of shell that export variables.
func (r *reader) set(lines string) {
	for line := range strings.Lines(lines) {
		r.environment = append(r.environment, strings.TrimPrefix(strings.TrimSpace(line), "export "))
	}
}

// run runs a command to its end, and returns what it says.
func (r *reader) run(folder, program string, arguments ...string) string {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	command.Dir, command.Env, command.WaitDelay = folder, r.environment, 5*time.Second
	said, err := command.CombinedOutput()
	if err != nil {
		r.t.Fatalf("%s %v: %v\n%s", program, arguments, err, said)
	}
	return string(said)
}

func (r *reader) script(name string) string {
	r.t.Helper()
	return r.run(r.folder, "sh", "-eu", name)
}

func expect(t *testing.T, said string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(said, want) {
			t.Errorf("%q isn't in\n%s", want, said)
		}
	}
}

func TestNeonWithoutNeon_shell(t *testing.T) {
	t.Parallel()
	for script, example := range map[string]struct{ needs, says []string }{
		"curl.sh":    {[]string{"curl"}, []string{`"name":"staging"`}},
		"retries.sh": {[]string{"curl"}, []string{`"name":"after-two-refusals"`, `"hits":2`}},
		"psql.sh":    {[]string{"curl", "psql"}, []string{"hello", "(1 row)"}},
		"neonctl.sh": {[]string{"neonctl"}, []string{"from-neonctl", "main"}},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			r, _ := follow(t, example.needs...)
			expect(t, r.script(script), example.says...)
		})
	}
}

func TestNeonWithoutNeon_neonNew(t *testing.T) {
	t.Parallel()
	r, _ := follow(t, "neon-new")
	source := r.folder
	r.folder = t.TempDir()
	for _, name := range []string{"neon-new.sh", "neon-new-here.mjs"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.folder, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r.script("neon-new.sh")
	written, err := os.ReadFile(filepath.Join(r.folder, ".env"))
	if err != nil {
		t.Fatal(err)
	}
	expect(t, string(written), "DATABASE_URL=", ".neon.localhost")
}

// The tests of the guide's applications pass, after its own commands.
func TestNeonWithoutNeon_applications(t *testing.T) {
	t.Parallel()
	r, e := follow(t, "curl", "node", "psql")
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, r.run(module, "go", "run", "./examples/neon-without-neon/go"), "sum: 55")
	clients := filepath.Join(module, "tools", "clients", "node_modules")
	if !isFile(filepath.Join(clients, "hono", "package.json")) ||
		!isFile(filepath.Join(clients, "drizzle-orm", "package.json")) {
		t.Skip("the rest needs packages: make clients")
	}
	source := r.folder
	r.folder = t.TempDir()
	// Node looks for modules beside the program.
	if err := os.Symlink(clients, filepath.Join(r.folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"app.mjs", "app.test.mjs", "test-node.sh"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.folder, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	lines := e.Environment(r.variable("NEON_BASE_URL"))
	if err := os.WriteFile(filepath.Join(r.folder, "neon.env"), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	expect(t, r.script("test-node.sh"), "pass 1", "fail 0")
}

func TestNeonWithoutNeon_python(t *testing.T) {
	t.Parallel()
	if exec.CommandContext(t.Context(), "python3", "-c", "import psycopg, pytest").Run() != nil {
		t.Skip("this needs psycopg and pytest")
	}
	r, _ := follow(t)
	expect(t, r.run(r.folder, "python3", "-m", "pytest", "-p", "no:cacheprovider", "test_app.py"), "1 passed")
}

// variable is what was set last.
func (r *reader) variable(name string) (value string) {
	for _, variable := range r.environment {
		if text, found := strings.CutPrefix(variable, name+"="); found {
			value = text
		}
	}
	return value
}

// The files for containers say what the image and the emulator have.
func TestNeonWithoutNeon_containers(t *testing.T) {
	t.Parallel()
	type service struct {
		Image       string
		Command     any
		Environment map[string]string
		Env         map[string]string
		Ports       []string
		Volumes     []string
	}
	var compose struct{ Services map[string]service }
	var workflow struct {
		Jobs map[string]struct{ Services map[string]service }
	}
	for name, into := range map[string]any{"compose.yaml": &compose, "services-workflow.yml": &workflow} {
		text, err := os.ReadFile(filepath.Join(withoutNeon, name))
		if err == nil {
			err = yaml.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	image, err := os.ReadFile(root + "/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	releaser, err := os.ReadFile(root + "/.goreleaser.image.yml")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []service{compose.Services["neon"], workflow.Jobs["test"].Services["neon"]} {
		name, tag, _ := strings.Cut(s.Image, ":")
		if !strings.Contains(string(releaser), "images: ["+name+"]") || tag != "latest" {
			t.Errorf("no image %s is released", s.Image)
		}
		if s.Environment["NEON_EMULATOR_TOKEN"]+s.Env["NEON_EMULATOR_TOKEN"] == "" {
			t.Error("there is no token, so nobody gets at the environment")
		}
		for _, port := range s.Ports {
			if inside := port[strings.LastIndex(port, ":")+1:]; !strings.Contains(string(image), " "+inside) {
				t.Errorf("the image exposes no port %s", inside)
			}
		}
	}
}

func TestNeonWithoutNeon_world(t *testing.T) {
	t.Parallel()
	_, e := follow(t, "psql")
	file, err := os.Open(filepath.Join(withoutNeon, "world.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if err := e.SeedWorld(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodGet, "http://localhost/_emulator/objects", http.NoBody)
	request.RemoteAddr = "127.0.0.1:1"
	answer := httptest.NewRecorder()
	e.ServeHTTP(answer, request)
	var objects map[string][]map[string]any
	if err := json.Unmarshal(answer.Body.Bytes(), &objects); err != nil {
		t.Fatal(err)
	}
	if len(objects["projects"]) != 2 || len(objects["branches"]) != 4 {
		t.Errorf("the world has %v", objects)
	}
}

// The steps of the workflow, with the program from this repository in place of the one
// that its first step installs.
func TestNeonWithoutNeon_workflow(t *testing.T) {
	t.Parallel()
	r, _ := follow(t, "curl")
	text, err := os.ReadFile(filepath.Join(withoutNeon, "workflow.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Name string `yaml:"name"`
				Run  string `yaml:"run"`
			} `yaml:"steps"`
		} `yaml:"jobs"`
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	r.run(root, "go", "build", "-ldflags=-s -w", "-o", filepath.Join(folder, "neon-emulator"), "./cmd/neon-emulator")
	variables := filepath.Join(folder, "variables")
	r.environment = append(r.environment, "PATH="+folder+":"+os.Getenv("PATH"), "GITHUB_ENV="+variables)
	steps := workflow.Jobs["test"].Steps
	if len(steps) != 4 || !strings.HasPrefix(steps[0].Run, "go install ") {
		t.Fatalf("the workflow has the steps %v", steps)
	}
	start := strings.Replace(steps[1].Run, "neon-emulator ", "neon-emulator -listen 127.0.0.1:0 ", 1)
	r.run(folder, "bash", "-ec", start)
	defer r.run(folder, "bash", "-ec", ". ./neon.env\nkill $NEON_EMULATOR_PID")
	exported, err := os.ReadFile(variables)
	if err != nil {
		t.Fatal(err)
	}
	r.set(string(exported))
	expect(t, r.run(folder, "bash", "-ec", steps[2].Run), `"name":"first"`)
	expect(t, r.run(folder, "bash", "-ec", steps[3].Run), "GET /api/v2/projects/")
}

// The two guides show the examples that these tests run, and no others.
func TestNeonWithoutNeon_guide(t *testing.T) {
	t.Parallel()
	guides := read(t, "templates/guides/application-tests.md.tmpl") + read(t, "templates/guides/emulator.md.tmpl")
	files, err := filepath.Glob(withoutNeon + "/*.*")
	if err != nil || len(files) < 9 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	for _, file := range append(files, withoutNeon+"/go/main.go", root+"/emulator/example_test.go") {
		if filepath.Base(file) != "README.md" {
			expect(t, guides, strings.TrimPrefix(file, root+"/"))
		}
	}
}
