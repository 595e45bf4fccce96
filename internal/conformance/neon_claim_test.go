package conformance

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// neonClaim runs a command of `neon claim` in a folder, and returns what it prints.
func neonClaim(t *testing.T, base, folder string, arguments ...string) string {
	t.Helper()
	needNode(t)
	program := filepath.Join(needClients(t), "neon", "dist", "cli.js")
	arguments = append([]string{program, "--config-dir", filepath.Join(folder, "config"), "--no-analytics", "claim"},
		arguments...)
	command := exec.CommandContext(t.Context(), "node", arguments...)
	// The program takes http from localhost alone.
	command.Dir, command.Env = folder, append(os.Environ(),
		"CLAIMABLE_NEON_HOST="+strings.Replace(base, "127.0.0.1", "localhost", 1))
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("neon claim %v: %v\n%s", arguments[len(arguments)-1], err, output)
	}
	return string(output)
}

// claimInPage goes through the page of a claim as a person does.
func claimInPage(t *testing.T, base, code string) {
	t.Helper()
	continued := postForm(t, base+"/claim", url.Values{"user_code": {code}})
	transfer := regexp.MustCompile(`name="transfer" value="([^"]+)"`).FindStringSubmatch(continued)
	if transfer == nil {
		t.Fatalf("the page says %s", continued)
	}
	if accepted := postForm(t, base+"/claim", url.Values{"transfer": {transfer[1]}}); !strings.Contains(accepted,
		"This project is yours") {
		t.Fatalf("the page says %s", accepted)
	}
}

func postForm(t *testing.T, address string, values url.Values) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(values.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		t.Error(err)
	}
	return string(said)
}

// Neon's command line creates a project without an account, and deletes it, or has a person claim it.
func TestNeonClaim(t *testing.T) {
	t.Parallel()
	e, err := emulator.New(emulator.Config{OperationDuration: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.SetBaseURL(server.URL)
	expect := func(output string, words ...string) {
		t.Helper()
		for _, word := range words {
			if !strings.Contains(output, word) {
				t.Errorf("%q is missing in %s", word, output)
			}
		}
	}
	deleted, claimed := t.TempDir(), t.TempDir()
	expect(neonClaim(t, server.URL, deleted, "create", "--service", "auth", "--service", "functions"), "postgres, auth",
		"functions requires a claimed project")
	expect(neonClaim(t, server.URL, deleted, "list"), "unclaimed")
	expect(neonClaim(t, server.URL, deleted, "status"), "unclaimed")
	expect(neonClaim(t, server.URL, deleted, "delete", "--yes"), "deleted")
	expect(neonClaim(t, server.URL, deleted, "list"), "No Claimable Neon projects")

	neonClaim(t, server.URL, claimed, "create")
	accepted := neonClaim(t, server.URL, claimed, "accept", "--no-open")
	code := regexp.MustCompile(`[2-9A-Z]{4}-[2-9A-Z]{4}`).FindString(accepted)
	expect(neonClaim(t, server.URL, claimed, "status"), "pending")
	claimInPage(t, server.URL, code)
	if status := neonClaim(t, server.URL, claimed, "status"); !regexp.MustCompile(`accepted`).MatchString(status) {
		t.Errorf("after the claim: %s", status)
	}
}
