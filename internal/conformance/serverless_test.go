package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
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
// https://github.com/neondatabase/serverless (tests/cli and tests/packages at ecce07e), 50 of 51 pass: "make
// test-driver"
// runs them. The other one logs in with a JSON Web Token of clerk.com.
func TestServerless(t *testing.T) {
	t.Parallel()
	folder := needPackages(t, "@neondatabase/serverless", "@prisma/adapter-neon", "@prisma/client", "drizzle-orm",
		"kysely", "kysely-neon", "pg", "postgres", "prisma", "ws")
	address, uri := serveDatabase(t)
	preload := filepath.Join(folder, "neon-here.mjs")
	if err := os.WriteFile(preload, get(t, address+"/neon-here.mjs", ""), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"serverless", "drizzle", "kysely", "prisma"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if name == "prisma" {
				generatePrismaClient(t, folder)
			}
			copyFile(t, "testdata/"+name+".mjs", folder)
			command := exec.CommandContext(t.Context(), "node", "--import", preload, name+".mjs")
			command.Dir, command.WaitDelay = folder, time.Minute
			command.Env = append(os.Environ(), "NEON_BASE_URL="+address, "DATABASE_URL="+uri)
			output, err := command.CombinedOutput()
			if err != nil || !bytes.Contains(output, []byte("\n# fail 0")) && !bytes.Contains(output, []byte("ℹ fail 0")) {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
}

// serveDatabase serves a world of an emulator with databases, and returns its address and the connection string of
// its default branch.
func serveDatabase(t *testing.T) (address, uri string) {
	t.Helper()
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
		if err := errors.Join(e.Close(), installation.Close()); err != nil {
			t.Error(err)
		}
	})
	world := e.FirstWorld()
	var answer struct{ URI string }
	said := get(t, server.URL+"/api/v2/projects/"+world.ProjectID+
		"/connection_uri?database_name=neondb&role_name=neondb_owner", world.APIKey)
	if err := json.Unmarshal(said, &answer); err != nil {
		t.Fatal(err)
	}
	return server.URL, answer.URI
}

// generatePrismaClient generates a client that asks through an adapter alone. It needs none of Prisma's engines, so
// that the program of migrations, which Prisma would download, is another.
func generatePrismaClient(t *testing.T, folder string) {
	t.Helper()
	copyFile(t, "testdata/schema.prisma", folder)
	anyProgram, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "node", "node_modules/prisma/build/index.js", "generate", "--schema",
		"schema.prisma", "--no-hints")
	command.Dir = folder
	command.Env = append(os.Environ(), "PRISMA_SCHEMA_ENGINE_BINARY="+anyProgram, "CHECKPOINT_DISABLE=1")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func copyFile(t *testing.T, file, folder string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, filepath.Base(file)), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
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
