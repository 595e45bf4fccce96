package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// TestMain keeps the surroundings out of the tests: no configuration of the
// command line, no call to HashiCorp's version check, and none of the provider's
// own variables.
func TestMain(m *testing.M) {
	os.Exit(runIsolated(m))
}

// testFolder is there for as long as the tests run.
var testFolder string

func runIsolated(m *testing.M) int {
	folder, err := os.MkdirTemp("", "neon-acceptance-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	testFolder = folder
	empty := filepath.Join(folder, "empty.tfrc")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if os.Getenv(realPlatform) != "" {
		realWorld = &world{
			baseURL: os.Getenv("NEON_BASE_URL"), claimBaseURL: os.Getenv("NEON_CLAIM_BASE_URL"),
			apiKey: os.Getenv("NEON_API_KEY"), orgID: os.Getenv("NEON_ORG_ID"), projectID: os.Getenv("NEON_PROJECT_ID"),
			maxRetries: client.DefaultMaxRetries,
		}
	}
	surroundings := map[string]string{"TF_CLI_CONFIG_FILE": empty, "CHECKPOINT_DISABLE": "1"}
	for _, variable := range providerVariables {
		surroundings[variable] = ""
	}
	for variable, value := range surroundings {
		if err := os.Setenv(variable, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	defer closeInstallation()
	return m.Run()
}

// installation is the PostgreSQL for the tests that need real databases. They share
// it.
var installation struct {
	once     sync.Once
	prepared *postgres.Installation
	err      error
}

// startDatabases begins a world with real databases, or skips the test where there
// is no PostgreSQL.
func startDatabases(t *testing.T) *world {
	t.Helper()
	installation.once.Do(func() {
		programs, err := postgres.FindPrograms(context.Background())
		if err == nil {
			installation.prepared, err = postgres.Prepare(context.Background(), programs)
		}
		installation.err = err
	})
	if errors.Is(installation.err, postgres.ErrNoPrograms) {
		t.Skip(installation.err)
	}
	if installation.err != nil {
		t.Fatal(installation.err)
	}
	return startEmulator(t, emulator.Config{Postgres: installation.prepared})
}

func closeInstallation() {
	if err := installation.prepared.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// realPlatform, set to anything, lets the tests that make no demands on their
// world run against the platform that the provider's variables name:
// NEON_API_KEY, NEON_ORG_ID, NEON_PROJECT_ID and, if need be, the addresses. The
// tests that need an emulated one are skipped then.
const realPlatform = "NEON_ACC_REAL"

// realWorld is that platform; nil where the run is against emulated ones.
var realWorld *world

var providerVariables = []string{
	"NEON_API_KEY", "NEON_BASE_URL", "NEON_API_HOST", "NEON_CLAIM_BASE_URL", "NEON_ORG_ID", "NEON_PROJECT_ID",
	"NEON_REQUESTS_PER_MINUTE", "NEON_MAX_RETRIES",
}

// world is one platform with what a test may use there.
type world struct {
	baseURL, claimBaseURL    string
	apiKey, orgID, projectID string
	emulator                 *emulator.Emulator
	maxRetries               int
}

// startEmulator gives a platform of the test's own. Operations take 20 ms unless
// the configuration says otherwise.
func startEmulator(t *testing.T, config emulator.Config) *world {
	t.Helper()
	if realWorld != nil {
		t.Skip("this test needs an emulated platform")
	}
	if config.OperationDuration == 0 {
		config.OperationDuration = 20 * time.Millisecond
	}
	config.RecordSecrets = true
	emulated, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(emulated)
	t.Cleanup(func() {
		server.Close()
		if err := emulated.Close(); err != nil {
			t.Error(err)
		}
	})
	first := emulated.FirstWorld()
	return &world{
		baseURL: server.URL, claimBaseURL: server.URL, apiKey: first.APIKey, orgID: first.OrgID, projectID: first.ProjectID,
		emulator: emulated, maxRetries: client.DefaultMaxRetries,
	}
}

// startAny gives the real platform where the run is against it, else an emulated
// one. It is for tests that need nothing but what the platform documents.
func startAny(t *testing.T) *world {
	t.Helper()
	if realWorld != nil {
		return realWorld
	}
	return startEmulator(t, emulator.Config{})
}

// providerConfig is a provider block for the world.
func (w *world) providerConfig() string { return w.providerConfigWith(w.apiKey) }

// providerConfigWith is one with another API key, none for an empty one, and
// with more lines.
func (w *world) providerConfigWith(apiKey string, lines ...string) string {
	for attribute, value := range map[string]string{"api_key": apiKey, "base_url": w.baseURL, "claim_base_url": w.claimBaseURL} {
		if value != "" {
			lines = append(lines, fmt.Sprintf("%s = %q", attribute, value))
		}
	}
	return fmt.Sprintf("provider \"neon\" {\n  max_retries = %d\n  %s\n}\n", w.maxRetries, strings.Join(lines, "\n  "))
}

// factories serves the provider to the testing framework.
func (w *world) factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"neon": func() (tfprotov6.ProviderServer, error) { return NewServer("test").New(), nil },
	}
}

// client speaks to the world past Terraform.
func (w *world) client(t *testing.T) *client.Client {
	t.Helper()
	return w.clientWith(t, w.apiKey)
}

func (w *world) clientWith(t *testing.T, apiKey string) *client.Client {
	t.Helper()
	api, err := client.New(client.Config{
		BaseURL: w.baseURL, ClaimBaseURL: w.claimBaseURL, APIKey: apiKey, MaxRetries: client.DefaultMaxRetries,
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// fault is one that the emulator is told to have; its fields are those of the
// emulator's control path.
type fault struct {
	Route       string  `json:"route"`
	Kind        string  `json:"kind"`
	Status      int     `json:"status,omitempty"`
	Body        string  `json:"body,omitempty"`
	Delay       string  `json:"delay,omitempty"`
	Count       int     `json:"count,omitempty"`
	Probability float64 `json:"probability,omitempty"`
	Seed        int64   `json:"seed,omitempty"`
}

// addFault makes the platform misbehave, for good where there is no count.
func (w *world) addFault(t *testing.T, f fault) {
	t.Helper()
	w.control(t, http.MethodPost, "/_emulator/faults", f, nil)
}

// endOperations makes the next operation of an action end with a status.
func (w *world) endOperations(t *testing.T, action, status, message string) {
	t.Helper()
	w.control(t, http.MethodPost, "/_emulator/operations",
		map[string]any{"action": action, "status": status, "error": message, "count": 1}, nil)
}

// makeProject makes a project, and gives its id.
func (w *world) makeProject(t *testing.T) string {
	t.Helper()
	var made struct {
		Project struct {
			ID string `json:"id"`
		} `json:"project"`
	}
	w.control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "another"}, &made)
	return made.Project.ID
}

// advance moves the world's clock.
func (w *world) advance(t *testing.T, duration time.Duration) {
	t.Helper()
	w.control(t, http.MethodPost, "/_emulator/clock", map[string]any{"advance": duration.String()}, nil)
}

// requests is what the platform was asked for so far.
type requests struct {
	Total    int            `json:"total"`
	ByRoute  map[string]int `json:"by_route"`
	ByStatus map[string]int `json:"by_status"`
}

func (w *world) requests(t *testing.T) requests {
	t.Helper()
	var seen requests
	w.control(t, http.MethodGet, "/_emulator/requests", nil, &seen)
	return seen
}

func (w *world) forgetRequests(t *testing.T) {
	t.Helper()
	w.control(t, http.MethodDelete, "/_emulator/requests", nil, nil)
}

// objects is all that exists in the world.
type objects struct {
	Projects           []map[string]any `json:"projects"`
	Branches           []map[string]any `json:"branches"`
	Endpoints          []map[string]any `json:"endpoints"`
	APIKeys            []map[string]any `json:"api_keys"`
	ClaimableDatabases []map[string]any `json:"claimable_databases"`
}

func (w *world) objects(t *testing.T) objects {
	t.Helper()
	var all objects
	w.control(t, http.MethodGet, "/_emulator/objects", nil, &all)
	return all
}

// keysNamed counts the live API keys of a name.
func (w *world) keysNamed(t *testing.T, name string) int {
	t.Helper()
	count := 0
	for _, key := range w.objects(t).APIKeys {
		if key["name"] == name {
			count++
		}
	}
	return count
}

// control speaks to the emulator's control path.
func (w *world) control(t *testing.T, method, path string, send, receive any) {
	t.Helper()
	if w.emulator == nil {
		t.Fatal("this test needs the emulator")
	}
	var body bytes.Buffer
	if send != nil {
		if err := json.NewEncoder(&body).Encode(send); err != nil {
			t.Fatal(err)
		}
	}
	request, err := http.NewRequestWithContext(context.Background(), method, strings.TrimRight(w.baseURL, "/")+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %s %v", method, path, response.Status, answer, err)
	}
	if receive != nil {
		if err := json.Unmarshal(answer, receive); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
}
