package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// instruction is a line of a Dockerfile, with those that go on with it.
var instruction = regexp.MustCompile(`(?m)^([A-Z]+) ((?:.*\\\n)*.*)$`)

// dockerfile is what it says by its instructions.
func dockerfile(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, found := range instruction.FindAllStringSubmatch(string(text), -1) {
		all[found[1]] = strings.ReplaceAll(found[2], "\\\n", "")
	}
	return all
}

// freePort is one that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}

// What the image does when it starts, in a folder on this machine and on loopback: it is healthy by its own check, and
// other machines get to the databases, and with the token to the rest.
func TestImage(t *testing.T) {
	t.Parallel()
	if _, err := postgres.FindPrograms(t.Context()); err != nil {
		t.Skip(err)
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip(err)
	}
	image := dockerfile(t)
	if user := image["USER"]; user == "" || user == "root" {
		t.Errorf("the image runs as %q", user)
	}
	if !regexp.MustCompile(`^postgres:18-`).MatchString(image["FROM"]) ||
		!strings.Contains(image["RUN"], "postgresql-17 ") || !strings.Contains(image["RUN"], " curl ") {
		t.Error("the image hasn't PostgreSQL 17 and 18, and curl")
	}
	folder := filepath.Join(openFolder(t), "data")
	here := strings.NewReplacer("0.0.0.0", "127.0.0.1", ":8473", ":"+freePort(t), ":5432", ":"+freePort(t),
		image["VOLUME"], folder)
	var entry []string
	if err := json.Unmarshal([]byte(here.Replace(image["ENTRYPOINT"])), &entry); err != nil ||
		entry[0] != "neon-emulator" {
		t.Fatalf("the entry point is %s: %v", image["ENTRYPOINT"], err)
	}
	emulator := exec.CommandContext(t.Context(), os.Args[0], entry[1:]...)
	emulator.Env = append(os.Environ(), asProgram+"=1", "NEON_EMULATOR_TOKEN=secret")
	p := start(t, emulator)
	_, health, _ := strings.Cut(here.Replace(image["HEALTHCHECK"]), " CMD ")
	for token, healthy := range map[string]bool{"secret": true, "": false} {
		check := exec.CommandContext(t.Context(), "sh", "-c", health)
		check.Env = append(os.Environ(), "NEON_EMULATOR_TOKEN="+token)
		if said, err := check.CombinedOutput(); (err == nil) != healthy {
			t.Errorf("with the token %q: %v %s", token, err, said)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		p.variables["NEON_BASE_URL"]+"/_emulator/environment", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = "neon:8473"
	request.SetBasicAuth("", "secret")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := make([]byte, 4096)
	n, _ := response.Body.Read(lines)
	_, uri, _ := strings.Cut(string(lines[:n]), "export DATABASE_URL=")
	if !strings.Contains(uri, "@neon:") || !strings.Contains(string(lines[:n]), "NEON_BASE_URL=http://neon:8473") {
		t.Fatalf("another machine is told %s", lines[:n])
	}
	conn, err := connect(t.Context(), strings.TrimSpace(uri))
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	p.stop()
}
