package walks_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// museum keeps, in a folder for each build that counts as a version, the states that it wrote of everything in its
// main.tf: by Terraform and by OpenTofu, each beside the Neon that it is about. That main.tf is what keptOf was then of
// all
// nouns.
const museum = "testdata/states"

// addToMuseum names the folder in which the state of the present build is kept.
var addToMuseum = flag.String("museum", "", "keep the state of this build in the folder of that name below "+museum)

// exhibit is a state with the Neon that it is about.
type exhibit struct{ build, program string }

func (e exhibit) path(name string) string { return filepath.Join(museum, e.build, name) }

// config is the configuration that the state is of; of the present build, what all nouns keep.
func (e exhibit) config(t *testing.T) string {
	t.Helper()
	if e.build == "" {
		config := "variable \"org_id\" {\n  type = string\n}\n"
		all := acctest.Nouns(t)
		for _, folder := range slices.Sorted(maps.Keys(all)) {
			config += "\n" + keptOf(t, folder, all[folder])
		}
		return config
	}
	text, err := os.ReadFile(e.path("main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keptInNeeds is what a configuration that is kept has in the place of the references of noun.hcl.
var keptInNeeds = strings.NewReplacer(`"$project"`, "neon_project.plain.id",
	`"$main"`, "neon_project.plain.default_branch.id", `"$org"`, "var.org_id")

// keptOf is what each release keeps a state of: the kept.tf in a noun's folder, or what its resources need where that
// says
// enough.
func keptOf(t *testing.T, folder string, noun nouns.Noun) (config string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(acctest.RepositoryDir, "internal", "provider", folder, "kept.tf"))
	if err == nil {
		return string(text)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, resource := range noun.Resources {
		config += fmt.Sprintf("resource %q \"kept\" {\n%s}\n", resource.Name, keptInNeeds.Replace(resource.Needs.String()))
	}
	return config
}

// museumRun is a folder with a configuration of the museum.
func museumRun(t *testing.T, w *acctest.World, config string) acctest.Run {
	t.Helper()
	r := acctest.NewRun(t, w, config, "TF_VAR_org_id="+w.OrgID)
	r.Write(t, "logo.svg", "<svg/>")
	if err := os.Mkdir(filepath.Join(r.Folder, "code"), 0o750); err != nil {
		t.Fatal(err)
	}
	r.Write(t, "code/index.mjs", "export default { fetch: () => new Response() };\n")
	return r
}

// writtenAt finds when something of a state was created.
var writtenAt = regexp.MustCompile(`"created_at": "([^"]+)"`)

// run starts the Neon of a state at the time when that was written, and returns a folder with both.
func (e exhibit) run(t *testing.T) acctest.Run {
	t.Helper()
	state, err := os.ReadFile(e.path(e.program + ".tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	var written time.Time
	for _, found := range writtenAt.FindAllStringSubmatch(string(state), -1) {
		if at, err := time.Parse(time.RFC3339, found[1]); err == nil && at.After(written) {
			written = at
		}
	}
	started, file := time.Now(), filepath.Join(t.TempDir(), "world")
	e.unpack(t, file)
	w := acctest.StartEmulator(t, emulator.Config{StateFile: file,
		Now: func() time.Time { return written.Add(time.Minute + time.Since(started)) }})
	r := museumRun(t, w, e.config(t))
	text := string(state)
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		text = strings.ReplaceAll(text, host, acctest.ProviderHost())
	}
	r.Write(t, "terraform.tfstate", text)
	return r
}

// unpack writes the Neon of the state as the emulator reads it.
func (e exhibit) unpack(t *testing.T, to string) {
	t.Helper()
	packed, err := os.ReadFile(e.path(e.program + ".world.gz"))
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	world, err := io.ReadAll(reader)
	if err == nil {
		err = os.WriteFile(to, world, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// exhibits are all that there is in the museum.
func exhibits(t *testing.T) (all []exhibit) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(museum, "*", "*.tfstate"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("the museum is empty (%v)", err)
	}
	for _, path := range paths {
		all = append(all, exhibit{filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".tfstate")})
	}
	return all
}

// planned is what a plan does, by the addresses of the resources.
func planned(t *testing.T, r acctest.Run, arguments ...string) map[string]string {
	t.Helper()
	r.Terraform(t, append([]string{"plan", "-out=museum.plan"}, arguments...)...)
	output, err := r.Command(t, "show", "-json", "museum.plan").Output()
	if err != nil {
		t.Fatal(err)
	}
	var plan struct {
		Changes []struct {
			Address string
			Change  struct{ Actions []string }
		} `json:"resource_changes"`
	}
	if err := json.Unmarshal(output, &plan); err != nil {
		t.Fatal(err)
	}
	actions := map[string]string{}
	for _, resource := range plan.Changes {
		if what := strings.Join(resource.Change.Actions, " and "); what != "no-op" {
			actions[resource.Address] = what
		}
	}
	return actions
}

// allowed are the changes of a plan that the folder of a build names, by the plan's arguments, each with its reason.
func (e exhibit) allowed(t *testing.T, arguments string) map[string]string {
	t.Helper()
	actions := map[string]string{}
	text, err := os.ReadFile(e.path("changes.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return actions
	}
	var named map[string]map[string]struct{ Action, Reason string }
	if err := errors.Join(err, json.Unmarshal(text, &named)); err != nil {
		t.Fatal(err)
	}
	for address, change := range named[strings.TrimSpace("plan "+arguments)] {
		if actions[address] = change.Action; change.Reason == "" {
			t.Errorf("%s: the change of %s has no reason", e.build, address)
		}
	}
	return actions
}

// Nothing that an earlier build manages goes or changes because a later one reads its state.
func TestAccTerraform_museum(t *testing.T) {
	t.Parallel()
	for _, e := range exhibits(t) {
		t.Run(e.build+", "+e.program, func(t *testing.T) {
			t.Parallel()
			r := e.run(t)
			for _, arguments := range []string{"", "-refresh=false"} {
				if got, want := planned(t, r, strings.Fields(arguments)...), e.allowed(t, arguments); !maps.Equal(got, want) {
					t.Errorf("plan %s: %v, want %v\n%s", arguments, got, want, r.Terraform(t, "show", "museum.plan"))
				}
			}
			if said := r.Fails(t, "plan", "-destroy"); !strings.Contains(said, "protected") {
				t.Errorf("what is protected may be destroyed: %s", said)
			}
		})
	}
}

// The configuration of the museum has everything; the next version of the provider takes the state of this one as it
// is.
func TestAccTerraform_museumNextVersion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "world")
	w := acctest.StartEmulator(t, emulator.Config{StateFile: file})
	w.Control(t, http.MethodPost, "/_emulator/members", map[string]string{"email": "max@example.com"}, nil)
	e := exhibit{build: *addToMuseum, program: "terraform"}
	if acctest.IsOpenTofu() {
		e.program = "tofu"
	}
	if _, err := os.Stat(e.path("main.tf")); err != nil {
		e.build = ""
	}
	r := museumRun(t, w, e.config(t))
	r.Terraform(t, "apply", "-auto-approve")
	if e.build = *addToMuseum; e.build != "" {
		e.keep(t, r, acctest.NewProtocol(t, w), file)
		return
	}
	r = useNextVersion(t, r)
	for _, arguments := range [][]string{nil, {"-refresh=false"}} {
		if got := planned(t, r, arguments...); len(got) > 0 {
			t.Errorf("plan %v of the next version: %v", arguments, got)
		}
	}
	r.Terraform(t, "apply", "-auto-approve")
	if state, err := os.ReadFile(filepath.Join(r.Folder, "terraform.tfstate")); err != nil ||
		!strings.Contains(string(state), fmt.Sprintf(`"schema_version": %d`, kit.SchemaVersion()+1)) {
		t.Errorf("the next version hasn't written the state (%v)", err)
	}
}

// useNextVersion has terraform run the provider as it will be with the next schema version.
func useNextVersion(t *testing.T, r acctest.Run) acctest.Run {
	t.Helper()
	present, err := acctest.BuiltProvider()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	const version = "github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit.schemaVersion"
	flags := fmt.Sprintf("-s -w -X %s=%d", version, kit.SchemaVersion()+1)
	command := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", flags, "-o",
		filepath.Join(folder, "terraform-provider-neon"), acctest.RepositoryDir)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	config, err := os.ReadFile(filepath.Join(r.Folder, "dev.tfrc"))
	if err != nil {
		t.Fatal(err)
	}
	r.Write(t, "dev.tfrc", strings.ReplaceAll(string(config), filepath.ToSlash(filepath.Dir(present)),
		filepath.ToSlash(folder)))
	return r.StartingProvider()
}

// keep puts the state and its Neon into the museum, and what is known of its identities.
func (e exhibit) keep(t *testing.T, r acctest.Run, p acctest.Protocol, world string) {
	t.Helper()
	identities, err := json.MarshalIndent(identityShapes(t, p), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"identities.json": append(identities, '\n')}
	for to, from := range map[string]string{"main.tf": filepath.Join(r.Folder, "main.tf"),
		e.program + ".tfstate": filepath.Join(r.Folder, "terraform.tfstate"), "world": world} {
		if files[to], err = os.ReadFile(from); err != nil {
			t.Fatal(err)
		}
	}
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, err = writer.Write(files["world"])
	if err := errors.Join(err, writer.Close(), os.MkdirAll(e.path(""), 0o750)); err != nil {
		t.Fatal(err)
	}
	delete(files, "world")
	files[e.program+".world.gz"] = packed.Bytes()
	for name, content := range files {
		if err := os.WriteFile(e.path(name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// An identity that Terraform has kept is read by every later version: another shape has another version.
func TestMuseum_identities(t *testing.T) {
	t.Parallel()
	now := identityShapes(t, acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})))
	paths, err := filepath.Glob(filepath.Join(museum, "*", "identities.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no identities are kept (%v)", err)
	}
	for _, path := range slices.Sorted(slices.Values(paths)) {
		text, err := os.ReadFile(path)
		var then map[string]identityShape
		if err := errors.Join(err, json.Unmarshal(text, &then)); err != nil {
			t.Fatal(err)
		}
		for name, before := range then {
			if after := now[name]; after.Version < before.Version ||
				after.Version == before.Version && !maps.Equal(after.Attributes, before.Attributes) {
				t.Errorf("%s: the identity of %s was %v, and is %v: raise the Version of its key, with an upgrader", path, name,
					before, after)
			}
		}
	}
}
