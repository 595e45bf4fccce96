// Package acctest runs acceptance tests of the provider against an emulated Neon, or the
// real one. It imports the provider, so that only tests in packages of their own, named
// branch_test and the like, may import it.
package acctest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// Main runs a package's tests without the surroundings: no configuration of the command
// line, no call to HashiCorp's version check, and none of the provider's own variables.
func Main(m *testing.M) {
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
		realWorld = &World{
			BaseURL: os.Getenv("NEON_BASE_URL"), ClaimBaseURL: os.Getenv("NEON_CLAIM_BASE_URL"),
			APIKey: os.Getenv("NEON_API_KEY"), OrgID: os.Getenv("NEON_ORG_ID"), ProjectID: os.Getenv("NEON_PROJECT_ID"),
			MaxRetries: client.DefaultMaxRetries,
		}
	}
	surroundings := map[string]string{
		"TF_CLI_CONFIG_FILE": empty, "CHECKPOINT_DISABLE": "1",
		// A terraform that ends in the next moment needn't collect garbage, unless it takes much memory.
		"GOGC": "off", "GOMEMLIMIT": "256MiB",
	}
	for _, variable := range providerVariables() {
		surroundings[variable] = ""
	}
	for variable, value := range surroundings {
		if err := os.Setenv(variable, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	defer closeInstallation()
	// With the race detector, a fifth of the tests' time went into collecting garbage.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(512 << 20)
	return m.Run()
}

// installation is the PostgreSQL for the tests that need real databases. They share
// it.
var installation struct {
	once     sync.Once
	prepared *postgres.Installation
	err      error
}

// StartDatabases begins a world with real databases, or skips the test where there
// is no PostgreSQL.
func StartDatabases(t *testing.T) *World {
	t.Helper()
	return StartDatabasesWith(t, emulator.Config{})
}

// StartDatabasesWith begins one that is configured.
func StartDatabasesWith(t *testing.T, config emulator.Config) *World {
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
	config.Postgres = installation.prepared
	return StartEmulator(t, config)
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
var realWorld *World

// providerVariables are those that the descriptions of the provider block name.
func providerVariables() (all []string) {
	schema, err := provider.NewServer("test").New().GetProviderSchema(context.Background(),
		&tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		panic(err) // Each test would say so.
	}
	variable := regexp.MustCompile("[A-Z_]*NEON_[A-Z_]+")
	for _, attribute := range schema.Provider.Block.Attributes {
		all = append(all, variable.FindAllString(attribute.Description, -1)...)
	}
	return all
}

// World is one platform with what a test may use there.
type World struct {
	BaseURL, ClaimBaseURL    string
	ClaimableNeonBaseURL     string
	APIKey, OrgID, ProjectID string
	Emulator                 *emulator.Emulator
	MaxRetries               int

	isAwake bool
}

// StartEmulator returns a platform of the test's own. Operations take 20 ms unless
// the configuration says otherwise.
func StartEmulator(t *testing.T, config emulator.Config) *World {
	t.Helper()
	if realWorld != nil {
		t.Skip("this test needs an emulated platform")
	}
	if config.OperationDuration == 0 {
		config.OperationDuration = 20 * time.Millisecond
	}
	config.RecordSecrets = true
	config.Readings = readingsOfRun(t, config.Readings)
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
	return &World{
		BaseURL: server.URL, ClaimBaseURL: server.URL, ClaimableNeonBaseURL: server.URL, APIKey: first.APIKey,
		OrgID: first.OrgID, ProjectID: first.ProjectID,
		Emulator: emulated, MaxRetries: client.DefaultMaxRetries,
	}
}

// StartAny returns the real platform where the run is against it, else an emulated
// one. It is for tests that need nothing but what the platform documents.
func StartAny(t *testing.T) *World {
	t.Helper()
	if realWorld != nil {
		return realWorld
	}
	return StartEmulator(t, emulator.Config{})
}

// ProviderConfig is a provider block for the world.
func (w *World) ProviderConfig() string { return w.ProviderConfigWith(w.APIKey) }

// ProviderConfigWith is one with another API key, none for an empty one, and
// with more lines.
func (w *World) ProviderConfigWith(apiKey string, lines ...string) string {
	settings := map[string]string{"api_key": apiKey, "base_url": w.BaseURL, "claim_base_url": w.ClaimBaseURL,
		"claimable_neon_base_url": w.ClaimableNeonBaseURL}
	for _, attribute := range slices.Sorted(maps.Keys(settings)) {
		if settings[attribute] != "" {
			lines = append(lines, fmt.Sprintf("%s = %q", attribute, settings[attribute]))
		}
	}
	return fmt.Sprintf("provider \"neon\" {\n  max_retries = %d\n  %s\n}\n", w.MaxRetries, strings.Join(lines, "\n  "))
}

// Factories serves the provider to the testing framework, which starts it anew for each command of terraform.
func (w *World) Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"neon": func() (tfprotov6.ProviderServer, error) {
			w.suspendComputes()
			return provider.NewServer("test").New(), nil
		},
	}
}

// Behind is the same world with something in front of its control API, which hands requests on or doesn't.
func (w *World) Behind(t *testing.T, front func(neon *httputil.ReverseProxy) http.Handler) *World {
	t.Helper()
	address, err := url.Parse(w.BaseURL)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(front(httputil.NewSingleHostReverseProxy(address)))
	t.Cleanup(server.Close)
	behind := *w
	behind.BaseURL = server.URL
	return &behind
}

// Client speaks to the world past Terraform.
func (w *World) Client(t *testing.T) *client.Client {
	t.Helper()
	return w.ClientWith(t, w.APIKey)
}

// ClientWith does so with another API key.
func (w *World) ClientWith(t *testing.T, apiKey string) *client.Client {
	t.Helper()
	api, err := client.New(client.Config{
		BaseURL: w.BaseURL, ClaimBaseURL: w.ClaimBaseURL, ClaimableNeonBaseURL: w.ClaimableNeonBaseURL, APIKey: apiKey,
		MaxRetries: client.DefaultMaxRetries,
	})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// Fault is one that the emulator is told to have; its fields are those of the
// emulator's control path.
type Fault struct {
	Route  string `json:"route"`
	Kind   string `json:"kind"`
	Status int    `json:"status,omitempty"`
	Body   string `json:"body,omitempty"`
	Delay  string `json:"delay,omitempty"`
	Count  int    `json:"count,omitempty"`
}

// AddFault makes the platform misbehave, for good where there is no count.
func (w *World) AddFault(t *testing.T, f Fault) {
	t.Helper()
	w.Control(t, http.MethodPost, "/_emulator/faults", f, nil)
}

// EndOperations makes the next operation of an action end with a status.
func (w *World) EndOperations(t *testing.T, action, status, message string) {
	t.Helper()
	w.Control(t, http.MethodPost, "/_emulator/operations",
		map[string]any{"action": action, "status": status, "error": message, "count": 1}, nil)
}

// MakeProject makes a project, and returns its id.
func (w *World) MakeProject(t *testing.T) string {
	t.Helper()
	var made struct {
		Project struct {
			ID string `json:"id"`
		} `json:"project"`
	}
	w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": "another"}, &made)
	return made.Project.ID
}

// MakeOrganization makes an organization that the caller administers, with a plan, and returns
// its id.
func (w *World) MakeOrganization(t *testing.T, plan string) string {
	t.Helper()
	var made struct {
		OrgID string `json:"org_id"`
	}
	w.Control(t, http.MethodPost, "/_emulator/organizations", map[string]string{"name": "other", "plan": plan}, &made)
	return made.OrgID
}

// Advance moves the world's clock.
func (w *World) Advance(t *testing.T, duration time.Duration) {
	t.Helper()
	w.Control(t, http.MethodPost, "/_emulator/clock", map[string]any{"advance": duration.String()}, nil)
}

// requests is what the platform was asked for so far.
type requests struct {
	Total    int            `json:"total"`
	ByRoute  map[string]int `json:"by_route"`
	ByStatus map[string]int `json:"by_status"`
}

// Requests counts what Neon was asked for since the start, or since ForgetRequests.
func (w *World) Requests(t *testing.T) requests {
	t.Helper()
	var seen requests
	w.Control(t, http.MethodGet, "/_emulator/requests", nil, &seen)
	return seen
}

// ForgetRequests counts from zero again.
func (w *World) ForgetRequests(t *testing.T) {
	t.Helper()
	w.Control(t, http.MethodDelete, "/_emulator/requests", nil, nil)
}

// objects is all that exists in the world.
type objects struct {
	Projects           []map[string]any `json:"projects"`
	Branches           []map[string]any `json:"branches"`
	Endpoints          []map[string]any `json:"endpoints"`
	Roles              []map[string]any `json:"roles"`
	Databases          []map[string]any `json:"databases"`
	Permissions        []map[string]any `json:"permissions"`
	JWKS               []map[string]any `json:"jwks"`
	DataAPIs           []map[string]any `json:"data_apis"`
	Auths              []map[string]any `json:"auths"`
	Buckets            []map[string]any `json:"buckets"`
	BucketObjects      []map[string]any `json:"bucket_objects"`
	Credentials        []map[string]any `json:"service_credentials"`
	Functions          []map[string]any `json:"functions"`
	Triggers           []map[string]any `json:"triggers"`
	CustomDomains      []map[string]any `json:"custom_domains"`
	APIKeys            []map[string]any `json:"api_keys"`
	ClaimableDatabases []map[string]any `json:"claimable_databases"`
	TransferRequests   []map[string]any `json:"transfer_requests"`
}

// Objects returns all that exists in the world.
func (w *World) Objects(t *testing.T) objects {
	t.Helper()
	var all objects
	w.Control(t, http.MethodGet, "/_emulator/objects", nil, &all)
	return all
}

// KeysNamed counts the live API keys of a name.
func (w *World) KeysNamed(t *testing.T, name string) int {
	t.Helper()
	count := 0
	for _, key := range w.Objects(t).APIKeys {
		if key["name"] == name {
			count++
		}
	}
	return count
}

// Control speaks to the emulator's control path.
func (w *World) Control(t *testing.T, method, path string, send, receive any) {
	t.Helper()
	if w.Emulator == nil {
		t.Fatal("this test needs the emulator")
	}
	answer := w.Request(t, method, path, send)
	if receive != nil {
		if err := json.Unmarshal(answer, receive); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
}

// KeylessConfig is a provider block without an API key.
func (w *World) KeylessConfig() string { return w.ProviderConfigWith("") }

// OperationIDs are those of the project's operations for which all of wants are true.
func (w *World) OperationIDs(t *testing.T, wants ...func(client.Operation) bool) []string {
	t.Helper()
	ids := []string{}
	for operation, err := range w.Client(t).ListOperations(t.Context(), w.ProjectID) {
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(wants, func(want func(client.Operation) bool) bool { return !want(operation) }) {
			ids = append(ids, operation.ID)
		}
	}
	return ids
}

// OnlyTheFirst checks that no key but the first is alive.
func (w *World) OnlyTheFirst(t *testing.T) {
	t.Helper()
	if keys := w.Objects(t).APIKeys; len(keys) != 1 {
		t.Errorf("these keys are alive: %v; want the first one alone", keys)
	}
}

// MakeProjects makes some of one name.
func (w *World) MakeProjects(t *testing.T, name string, count int) {
	t.Helper()
	for range count {
		w.Control(t, http.MethodPost, "/_emulator/projects", map[string]any{"name": name}, nil)
	}
}
