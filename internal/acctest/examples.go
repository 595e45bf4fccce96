package acctest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// otherProviders are the providers of other people that examples use, each with a function that
// builds it once from its Go module, and returns the folder where it is.
var otherProviders = map[string]func() (string, error){
	"hashicorp/local": built("github.com/terraform-providers/terraform-provider-local"),
	"hashicorp/time":  built("github.com/hashicorp/terraform-provider-time"),
}

func built(module string) func() (string, error) {
	return sync.OnceValues(func() (string, error) {
		folder, err := os.MkdirTemp(testFolder, "other-provider-")
		if err != nil {
			return "", err
		}
		command := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o",
			folder+string(filepath.Separator), module)
		command.Dir = filepath.Join(RepositoryDir, "tools", "providers")
		if output, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go build in %s: %w\n%s", command.Dir, err, output)
		}
		return folder, nil
	})
}

// NewExampleRun is a run of an example that is a folder, with the providers of
// other people that it names.
func NewExampleRun(t *testing.T, w *World, example string, others ...string) Run {
	t.Helper()
	r := NewRun(t, w, "")
	files := os.DirFS(filepath.Join(ExamplesDir, example))
	if err := errors.Join(os.Remove(filepath.Join(r.Folder, "main.tf")), os.CopyFS(r.Folder, files)); err != nil {
		t.Fatal(err)
	}
	own, err := BuiltProvider()
	if err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{ownSource(t): filepath.Dir(own)}
	for _, other := range others {
		if folders[other], err = otherProviders[other](); err != nil {
			t.Fatal(err)
		}
	}
	r.Override(t, folders)
	return r
}

// QueryOne returns the one value that a query returns.
func QueryOne(ctx context.Context, uri, query string) (string, error) {
	conn, err := sqlscript.Connect(ctx, uri)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var value string
	err = conn.QueryRow(ctx, query).Scan(&value)
	return value, err
}

// RepositoryDir is the root of the repository, in whichever folder of it a program or test runs.
var RepositoryDir = nouns.Repository()

// ExamplesDir holds the configurations that the documentation shows. The tests
// below run each of them as it stands there.
var ExamplesDir = filepath.Join(RepositoryDir, "examples")

var (
	// ExampleVariable matches a variable of an example.
	ExampleVariable = regexp.MustCompile(`(?m)^variable "([^"]+)"`)
	ExampleSource   = regexp.MustCompile(`source\s*=\s*"([^/"]+)/neon"`)
)

// ExampleEntries are the names of the files and folders in a folder of examples.
func ExampleEntries(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(ExamplesDir, folder))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		if entry.Name() != "README.md" {
			names = append(names, entry.Name())
		}
	}
	return names
}

// ExampleFiles are the paths of the examples that match a pattern, sorted.
func ExampleFiles(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := fs.Glob(os.DirFS(ExamplesDir), pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d examples match %s: %v", len(files), pattern, err)
	}
	return files
}

// ReadExample returns the text of an example.
func ReadExample(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(ExamplesDir, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Saved returns the attributes that a state file has of the one object of an address.
func (r Run) Saved(t *testing.T, file, address string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.Folder, file))
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		Resources []struct {
			Mode, Type, Name string
			Instances        []struct{ Attributes map[string]any }
		}
	}
	if err := json.Unmarshal(text, &state); err != nil {
		t.Fatal(err)
	}
	for _, resource := range state.Resources {
		saved := resource.Type + "." + resource.Name
		if resource.Mode == "data" {
			saved = "data." + saved
		}
		if saved == address && len(resource.Instances) == 1 {
			return resource.Instances[0].Attributes
		}
	}
	t.Fatalf("%s has no %s", file, address)
	return nil
}

// Existing names all that exists and that somebody has to delete, sorted. Claimable databases and
// invitations end by themselves.
func (w *World) Existing(t *testing.T) []string {
	// Neon creates these roles for a JWKS URL, and keeps them.
	staying := map[any]bool{"anonymous": true, "authenticated": true, "authenticator": true}
	t.Helper()
	var all map[string][]map[string]any
	w.Control(t, http.MethodGet, "/_emulator/objects", nil, &all)
	expiring := map[any]bool{}
	for _, database := range all["claimable_databases"] {
		expiring[database["neon_project_id"]] = true
	}
	delete(all, "claimable_databases")
	delete(all, "invitations")
	var existing []string
	for kind, objects := range all {
		for _, object := range objects {
			stays := kind == "roles" && staying[object["name"]]
			if !stays && !expiring[object["id"]] && !expiring[object["project_id"]] {
				existing = append(existing, fmt.Sprintf("%s: %v %v in %v, %v", kind, object["id"], object["name"],
					object["project_id"], object["branch_id"]))
			}
		}
	}
	slices.Sort(existing)
	return existing
}
