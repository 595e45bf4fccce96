package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/asneon"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// checkout returns the folder of a repository whose packages don't carry its tests. A target of make fetches it.
func checkout(t *testing.T, variable, target string) string {
	t.Helper()
	folder := os.Getenv(variable)
	if folder == "" {
		t.Skipf("make %s runs this", target)
	}
	return folder
}

// The serverless driver's own tests pass, but for the one that logs in with a JSON Web Token of clerk.com.
func TestCheckouts_driver(t *testing.T) {
	folder := checkout(t, "NEON_DRIVER_CHECKOUT", "test-driver")
	address, uri := serveDatabase(t)
	for file, text := range map[string][]byte{
		"neon-here.mjs": get(t, address+"/neon-here.mjs", ""),
		// The authority that the driver expects is a public one.
		"tests/cli/subtlsCert.ts": slices.Concat([]byte("export const ISRGX1Cert = `"),
			get(t, address+"/_emulator/ca.pem", ""), []byte("`;\n")),
	} {
		if err := os.WriteFile(filepath.Join(folder, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A host of Neon's becomes one that nobody has, and Prisma's client one that needs no engine.
	replaceIn(t, filepath.Join(folder, "tests", "cli", "http.test.ts"), "'.neon.tech', '.neon.t",
		"'.localhost', '.localhos")
	replaceIn(t, filepath.Join(folder, "schema.prisma"), `["driverAdapters", "views"`,
		`["driverAdapters", "queryCompiler", "views"`)
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	run := func(program string, arguments ...string) []byte {
		command := exec.CommandContext(t.Context(), filepath.Join(folder, "node_modules", ".bin", program), arguments...)
		command.Dir = folder
		command.Env = append(os.Environ(), "NEON_BASE_URL="+address, "VITE_NEON_DB_URL="+uri,
			"VITE_NEON_DB_POOLER_URL="+strings.Replace(uri, ".", "-pooler.", 1),
			"VITE_WSPROXY=proxy.neon.localhost/v2", "VITE_CLERK_USER=nobody", "VITE_CLERK_SECRET_KEY=none",
			"CHECKPOINT_DISABLE=1",
			"PRISMA_SCHEMA_ENGINE_BINARY="+node, "PRISMA_QUERY_ENGINE_LIBRARY="+node,
			"NODE_OPTIONS=--experimental-websocket --import="+filepath.Join(folder, "neon-here.mjs"))
		output, _ := command.CombinedOutput() // Each test has a result of its own.
		return output
	}
	run("prisma", "generate")
	for _, suite := range []struct{ folder, environment string }{{"cli", "node"}, {"cli", "edge-runtime"},
		{"packages", "node"}} {
		results := filepath.Join(t.TempDir(), "results.json")
		output := run("vitest", "run", "--dir=tests/"+suite.folder, "--environment="+suite.environment,
			"--config=tests/vite.config.mts",
			"--reporter=json", "--outputFile="+results)
		passed, failed := resultsOf(t, results, output)
		t.Logf("%s in %s: %d passed, %d failed", suite.folder, suite.environment, len(passed), len(failed))
		if suite.folder == "cli" {
			failed = slices.DeleteFunc(failed, func(name string) bool { return name == "connection with Neon Authorize" })
		}
		if len(failed) > 0 || len(passed) < 4 {
			t.Errorf("%v in %s, which failed; %d passed\n%s", failed, suite, len(passed), output)
		}
	}
}

// resultsOf reads what vitest reports.
func resultsOf(t *testing.T, file string, output []byte) (passed, failed []string) {
	t.Helper()
	var report struct {
		TestResults []struct {
			Name, Message    string
			AssertionResults []struct{ FullName, Status string }
		}
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, file := range report.TestResults {
		if len(file.AssertionResults) == 0 {
			failed = append(failed, file.Name+": "+file.Message)
		}
		for _, test := range file.AssertionResults {
			if test.Status == "passed" {
				passed = append(passed, test.FullName)
			} else {
				failed = append(failed, test.FullName)
			}
		}
	}
	return passed, failed
}

// replaceIn replaces a text in a file that may have it.
func replaceIn(t *testing.T, file, old, text string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(file, bytes.Replace(content, []byte(old), []byte(text), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The live acceptance tests of another provider pass: what it does at Neon, it does here.
func TestCheckouts_peer(t *testing.T) {
	folder := checkout(t, "NEON_PEER_CHECKOUT", "test-peer")
	e, err := emulator.New(emulator.Config{OperationDuration: 50 * time.Millisecond, Limits: emulator.LimitsOff})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	variables, end, err := asneon.Serve(t.Context(), t.TempDir(), e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Close()
		if err := errors.Join(end(), e.Close()); err != nil {
			t.Error(err)
		}
	})
	program := filepath.Join(t.TempDir(), "live.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-tags=acceptance", "-o", program, "./provider")
	build.Dir = folder
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	world := e.FirstWorld()
	// Its projects are the organization's of the key, and what is about people takes a person's.
	counts := map[string]int{}
	for _, keys := range []struct{ key, run, skip string }{
		{organizationKey(t, server.URL, world), ".", aboutPeople + "|" + connecting},
		{world.APIKey, aboutPeople, "^$"},
	} {
		live := exec.CommandContext(t.Context(), program, "-test.v", "-test.timeout=60m", "-test.run="+keys.run,
			"-test.skip="+keys.skip)
		live.Dir = filepath.Join(folder, "provider")
		live.Env = append(os.Environ(), "TF_ACC=1", "NEON_API_KEY="+keys.key, "ORG_ID="+world.OrgID, "CHECKPOINT_DISABLE=1")
		for name, value := range variables {
			live.Env = append(live.Env, name+"="+value)
		}
		output, _ := live.CombinedOutput() // Each test has a result of its own.
		for line := range bytes.Lines(output) {
			result, isResult := bytes.CutPrefix(bytes.TrimLeft(line, " "), []byte("--- "))
			if isResult {
				word, _, _ := strings.Cut(string(result), ":")
				counts[word]++
			}
		}
		if counts["FAIL"] > 0 {
			t.Errorf("%s\n", output)
		}
	}
	t.Logf("%v", counts)
	if counts["PASS"] < 40 {
		t.Errorf("%v, which are too few", counts)
	}
}

// aboutPeople are the tests that need a person's key.
const aboutPeople = "APIKey"

// connecting is the test that connects to a database by the host alone, on PostgreSQL's own port.
const connecting = "TestProjectDefaultEndpointURI"

// organizationKey creates a key of the world's organization.
func organizationKey(t *testing.T, address string, world emulator.World) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
		address+"/api/v2/organizations/"+world.OrgID+"/api_keys",
		strings.NewReader(`{"key_name": "live tests"}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+world.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var created struct{ Key string }
	if err := json.NewDecoder(response.Body).Decode(&created); err != nil || created.Key == "" {
		t.Fatalf("%s: %v", response.Status, err)
	}
	return created.Key
}
