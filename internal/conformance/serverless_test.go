package conformance

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// needPackages skips a test where packages of tools/clients aren't installed, and gives a folder that has them.
func needPackages(t *testing.T, names ...string) string {
	t.Helper()
	clients := needClients(t)
	needNode(t)
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(clients, name)); err != nil {
			without(t, "the clients that tools/clients pins: run make clients, with npm", err)
		}
	}
	folder := t.TempDir()
	if err := os.Symlink(clients, filepath.Join(folder, "node_modules")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// The serverless driver works as it is installed, and what stands on it. Of the driver's own tests in
// https://github.com/neondatabase/serverless (tests/cli at 1.0.2: http, httpTransaction, ws), 42 of 45 pass. The others
// need what only Neon has: a certificate of a public authority (subtls, twice), and a host name in neon.tech.
func TestServerless(t *testing.T) {
	t.Parallel()
	folder := needPackages(t, "@neondatabase/serverless", "@prisma/adapter-neon", "drizzle-orm", "pg", "postgres", "ws")
	programs, err := postgres.FindPrograms(t.Context())
	if err != nil {
		without(t, "PostgreSQL", err)
	}
	installation, err := postgres.Prepare(t.Context(), programs)
	if err != nil {
		t.Fatal(err)
	}
	e, err := emulator.New(emulator.Config{OperationDuration: time.Millisecond, Postgres: installation})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(func() {
		server.Close()
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		if err := installation.Close(); err != nil {
			t.Error(err)
		}
	})
	preload := filepath.Join(folder, "neon-here.mjs")
	if err := os.WriteFile(preload, get(t, server.URL+"/neon-here.mjs", ""), 0o600); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/serverless.mjs")
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "serverless.mjs"), script, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	world := e.FirstWorld()
	var answer struct{ URI string }
	said := get(t, server.URL+"/api/v2/projects/"+world.ProjectID+"/connection_uri?database_name=neondb&role_name=neondb_owner", world.APIKey)
	if err := json.Unmarshal(said, &answer); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "node", "--import", preload, "serverless.mjs")
	command.Dir, command.WaitDelay = folder, 5*time.Second
	command.Env = append(os.Environ(), "NEON_BASE_URL="+server.URL, "DATABASE_URL="+answer.URI)
	output, err := command.CombinedOutput()
	if err != nil || !bytes.Contains(output, []byte("\n# fail 0")) && !bytes.Contains(output, []byte("ℹ fail 0")) {
		t.Errorf("%v\n%s", err, output)
	}
}

func get(t *testing.T, address, key string) []byte {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", address, response.StatusCode, text, err)
	}
	return text
}
