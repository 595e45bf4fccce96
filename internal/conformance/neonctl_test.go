package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// commandLine is the platform's official one, in a process that runs one command after another.
type commandLine struct {
	t        *testing.T
	address  string
	key      string
	process  *exec.Cmd
	input    *json.Encoder
	output   *bufio.Reader
	problems bytes.Buffer
}

// commandLines are the programs of both: the older one runs a version of the newer that it pins.
var commandLines = map[string]string{"neonctl": "neonctl/node_modules/neon", "neon": "neon"}

// eachCommandLine runs a test with the older command line, and with the newer.
func eachCommandLine(t *testing.T, test func(*testing.T, *commandLine, emulator.World)) {
	t.Helper()
	for name, folder := range commandLines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, world := newCommandLine(t, folder)
			test(t, c, world)
		})
	}
}

func newCommandLine(t *testing.T, program string) (*commandLine, emulator.World) {
	t.Helper()
	folder := needClients(t)
	needNode(t)
	// A command that comes while others' operations run tries again after three seconds.
	e, err := emulator.New(emulator.Config{OperationDuration: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	address, world := newChecker(t, e, true).start(), e.FirstWorld()
	c := &commandLine{t: t, address: address, key: world.APIKey}
	c.start("node", "testdata/neonctl.mjs", filepath.Join(folder, program, "dist", "index.js"))
	return c, world
}

func (c *commandLine) start(program string, arguments ...string) {
	c.t.Helper()
	c.process = exec.CommandContext(c.t.Context(), program, arguments...)
	c.process.Env, c.process.Stderr = append(os.Environ(), "CI=true", "NO_COLOR=1"), &c.problems
	input, inputErr := c.process.StdinPipe()
	output, outputErr := c.process.StdoutPipe()
	if err := errors.Join(inputErr, outputErr, c.process.Start()); err != nil {
		c.t.Fatal(err)
	}
	c.input, c.output = json.NewEncoder(input), bufio.NewReader(output)
	c.t.Cleanup(func() { _ = c.process.Wait() })
}

// run runs a command, and gives what it says in JSON.
func (c *commandLine) run(arguments ...string) []byte {
	c.t.Helper()
	output, err := c.try(arguments...)
	if err != nil {
		c.t.Fatalf("neonctl %s: %v\n%s%s", arguments, err, output, &c.problems)
	}
	return output
}

// try runs a command. One that fails is the last.
func (c *commandLine) try(arguments ...string) ([]byte, error) {
	c.t.Helper()
	told := c.input.Encode(map[string]any{"folder": c.t.TempDir(), "args": c.complete(arguments)})
	output, err := c.output.ReadBytes(0)
	if err := errors.Join(told, err); err != nil {
		return output, errors.Join(err, c.process.Wait())
	}
	return output[:len(output)-1], nil
}

// complete adds what every command is told.
func (c *commandLine) complete(arguments []string) []string {
	c.t.Helper()
	return slices.Concat(arguments, []string{
		"--api-host", c.address + "/api/v2", "--api-key", c.key, "--no-analytics", "--config-dir", c.t.TempDir(), "--output",
		"json",
	})
}

func (c *commandLine) object(arguments ...string) map[string]any {
	c.t.Helper()
	return decode[map[string]any](c, arguments)
}

func (c *commandLine) list(arguments ...string) []map[string]any {
	c.t.Helper()
	return decode[[]map[string]any](c, arguments)
}

func decode[T any](c *commandLine, arguments []string) T {
	c.t.Helper()
	output := c.run(arguments...)
	var value T
	if err := json.Unmarshal(output, &value); err != nil {
		c.t.Fatalf("neonctl %s: %v in %s", arguments, err, output)
	}
	return value
}

// field gives a field of an object that must have it.
func field[T any](t *testing.T, object map[string]any, name string) T {
	t.Helper()
	value, ok := object[name].(T)
	if !ok {
		t.Fatalf("no %s in %v", name, object)
	}
	return value
}

// one finds the entry of a list whose field has a value.
func one(t *testing.T, list []map[string]any, field string, value any) map[string]any {
	t.Helper()
	for _, entry := range list {
		if entry[field] == value {
			return entry
		}
	}
	t.Errorf("no entry with %s %v in %v", field, value, list)
	return map[string]any{}
}

func none(t *testing.T, list []map[string]any, field string, value any) {
	t.Helper()
	for _, entry := range list {
		if entry[field] == value {
			t.Errorf("%s %v is still in %v", field, value, list)
		}
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	eachCommandLine(t, func(t *testing.T, c *commandLine, world emulator.World) {
		t.Helper()
		if field[string](t, c.object("me"), "login") == "" {
			t.Error("me has no login")
		}
		one(t, c.list("orgs", "list"), "id", world.OrgID)

		made := field[map[string]any](t, c.object("projects", "create", "--org-id", world.OrgID, "--name", "made",
			"--database", "made", "--role", "maker", "--region-id", "aws-eu-central-1", "--cu", "0.25-1"), "project")
		project := field[string](t, made, "id")
		listed := c.list("projects", "list", "--org-id", world.OrgID)
		one(t, listed, "id", project)
		one(t, listed, "id", world.ProjectID)
		if got := c.object("projects", "get", project)["name"]; got != "made" {
			t.Errorf("the project's name is %v", got)
		}

		in := []string{"--project-id", project}
		with := func(arguments ...string) []string { return append(arguments, in...) }
		branch := c.object(with("branches", "create", "--name", "feature", "--no-compute")...)
		if got := c.object(with("branches", "get", "feature")...)["id"]; got == nil || got != branch["id"] {
			t.Errorf("the branch of that name is %v, want %v", got, branch["id"])
		}
		preview := c.object(with("branches", "create", "--name", "preview", "--parent", "feature")...)
		if uris := field[[]any](t, preview, "connection_uris"); len(uris) != 1 {
			t.Errorf("a branch with a compute has the connection strings %v", uris)
		}
		if got := field[map[string]any](t, preview, "branch")["parent_id"]; got != branch["id"] {
			t.Errorf("the branch's parent is %v", got)
		}
		c.run(with("branches", "delete", "preview")...)
		c.run(with("branches", "rename", "feature", "renamed")...)
		one(t, c.list(with("branches", "list")...), "name", "renamed")
		c.run(with("branches", "add-compute", "renamed", "--type", "read_write")...)
		c.run(with("branches", "set-default", "renamed")...)
		if one(t, c.list(with("branches", "list")...), "name", "renamed")["default"] != true {
			t.Error("the branch isn't the default")
		}
		if len(c.list(with("operations", "list")...)) == 0 {
			t.Error("there are no operations")
		}

		onBranch := func(arguments ...string) []string { return with(append(arguments, "--branch", "renamed")...) }
		c.run(onBranch("roles", "create", "--name", "reader")...)
		c.run(onBranch("roles", "create", "--name", "group", "--no-login")...)
		one(t, c.list(onBranch("roles", "list")...), "name", "reader")
		one(t, c.list(onBranch("roles", "list")...), "name", "group")
		c.run(onBranch("databases", "create", "--name", "shop", "--owner-name", "reader")...)
		one(t, c.list(onBranch("databases", "list")...), "name", "shop")
		uri := c.run(with("connection-string", "renamed", "--role-name", "reader", "--database-name", "shop")...)
		if !bytes.Contains(uri, []byte("postgresql://reader:")) || !bytes.Contains(uri, []byte("/shop")) {
			t.Errorf("the connection string is %s", uri)
		}
		c.run(onBranch("databases", "delete", "shop")...)
		none(t, c.list(onBranch("databases", "list")...), "name", "shop")
		c.run(onBranch("roles", "delete", "reader")...)
		none(t, c.list(onBranch("roles", "list")...), "name", "reader")

		c.run(with("branches", "set-default", "main")...)
		c.run(with("branches", "reset", "renamed", "--parent")...)
		c.run(with("branches", "restore", "renamed", "^parent", "--preserve-under-name", "kept")...)
		c.run(with("branches", "set-expiration", "renamed", "--expires-at",
			time.Now().Add(time.Hour).UTC().Format(time.RFC3339))...)
		if expiring := c.object(with("branches", "get", "renamed")...); expiring["expires_at"] == nil {
			t.Errorf("the branch doesn't expire: %v", expiring)
		}
		c.run(with("branches", "delete", "renamed")...)
		one(t, c.list(with("branches", "list")...), "name", "kept")
		none(t, c.list(with("branches", "list")...), "name", "renamed")
		c.run(with("branches", "schema-diff", "main", "kept", "--database", "made")...)
		taken := c.object(with("snapshots", "create", "--branch", "main", "--name", "taken")...)
		one(t, c.list(with("snapshots", "list")...), "name", "taken")
		c.run(with("snapshots", "update", "taken", "--name", "kept")...)
		if got := c.object(with("snapshots", "get", "kept")...)["id"]; got == nil || got != taken["id"] {
			t.Errorf("the snapshot of that name is %v, want %v", got, taken["id"])
		}
		c.run(with("snapshots", "restore", "kept", "--target-branch", "main", "--name", "looked-at")...)
		c.run(with("snapshots", "finalize", "looked-at")...)
		one(t, c.list(with("branches", "list")...), "name", "main (old)")
		c.run(with("snapshots", "delete", "kept")...)
		none(t, c.list(with("snapshots", "list")...), "name", "kept")
		c.run(with("snapshots", "schedule", "set", "--branch", "main", "--frequency", "daily", "--hour", "3", "--retention",
			"604800")...)
		one(t, c.list(with("snapshots", "schedule", "get", "--branch", "main")...), "frequency", "daily")
		c.run("projects", "update", project, "--name", "changed", "--block-vpc-connections=true", "--cu", "0.5-2")
		c.run("projects", "delete", project)
		none(t, c.list("projects", "list", "--org-id", world.OrgID), "id", project)
		one(t, c.list("projects", "list", "--org-id", world.OrgID, "--recoverable-only"), "id", project)
		c.run("projects", "recover", project)
		one(t, c.list("projects", "list", "--org-id", world.OrgID), "name", "changed")
	})
}

// A command in the process of others says what the installed program says, and fails where it does.
func TestCommandLine_alone(t *testing.T) {
	t.Parallel()
	eachCommandLine(t, func(t *testing.T, c *commandLine, _ emulator.World) {
		t.Helper()
		program := filepath.Join(needClients(t), ".bin", "neonctl")
		said, err := exec.CommandContext(t.Context(), program, c.complete([]string{"me"})...).Output()
		if err != nil || len(said) == 0 {
			t.Fatalf("neonctl me: %q, %v", said, err)
		}
		c.run("orgs", "list")
		if diff := cmp.Diff(string(said), string(c.run("me"))); diff != "" {
			t.Error(diff)
		}
		if _, err := c.try("projects", "get", "none-12345678"); err == nil ||
			!strings.Contains(c.problems.String(), "not found") {
			t.Errorf("a project that isn't there: %v, %s", err, &c.problems)
		}
	})
}

func TestCommandLine_keys(t *testing.T) {
	t.Parallel()
	eachCommandLine(t, func(t *testing.T, c *commandLine, world emulator.World) {
		t.Helper()
		for name, scope := range map[string][]string{"personal": nil, "organization": {"--org-id", world.OrgID}} {
			with := func(arguments ...string) []string { return append(arguments, scope...) }
			made := c.object(with("api-keys", "create", "--name", name)...)
			if made["key"] == "" || made["key"] == nil {
				t.Errorf("the new key has no token: %v", made)
			}
			one(t, c.list(with("api-keys", "list")...), "name", name)
			id, _ := made["id"].(float64)
			c.run(with("api-keys", "revoke", strconv.FormatInt(int64(id), 10))...)
			none(t, c.list(with("api-keys", "list")...), "name", name)
		}
	})
}
