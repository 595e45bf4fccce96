package main

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

const asProgram = "NEON_EMULATOR_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is the emulator as a process of its own.
type program struct {
	t         *testing.T
	command   *exec.Cmd
	variables map[string]string
}

func command(ctx context.Context, state string, more ...string) *exec.Cmd {
	return commandWith(ctx, append([]string{"-state", state, "-postgres", "off"}, more...)...)
}

func commandWith(ctx context.Context, flags ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, os.Args[0], append([]string{"-listen", "127.0.0.1:0",
		"-limits", "off", "-conflicts", "none", "-operation-duration", "1ms"}, flags...)...)
	c.Env = append(os.Environ(), asProgram+"=1", "PGSERVICE=none") // The shell's other databases are nothing to it.
	return c
}

// startProgram returns once the emulator says where it is.
func startProgram(t *testing.T, state string, more ...string) *program {
	t.Helper()
	return start(t, command(t.Context(), state, more...))
}

// start returns once the emulator says where it is.
func start(t *testing.T, command *exec.Cmd) *program {
	t.Helper()
	p := &program{t: t, command: command, variables: map[string]string{}}
	said, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for p.variables["NEON_PROJECT_ID"] == "" && lines.Scan() {
		name, value, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "export "), "=")
		p.variables[name] = value
	}
	if p.variables["NEON_PROJECT_ID"] == "" {
		t.Fatalf("the emulator said only %v", p.variables)
	}
	return p
}

// ask makes a request about the first project, and returns what was answered in time.
func (p *program) ask(method, path string, body ...string) (int, map[string]any) {
	request, err := http.NewRequestWithContext(p.t.Context(), method,
		p.variables["NEON_BASE_URL"]+"/api/v2/projects/"+p.variables["NEON_PROJECT_ID"]+path,
		strings.NewReader(strings.Join(body, "")))
	if err != nil {
		return 0, nil
	}
	request.Header.Set("Authorization", "Bearer "+p.variables["NEON_API_KEY"])
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	var answer map[string]any
	if json.NewDecoder(response.Body).Decode(&answer) != nil {
		return 0, nil
	}
	return response.StatusCode, answer
}

// createUntilKilled creates branches from several sides until the process is killed in
// the middle of that, and returns those that were acknowledged.
func (p *program) createUntilKilled(enough int) []string {
	p.t.Helper()
	var mu sync.Mutex
	var acknowledged []string
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for {
				status, answer := p.ask(http.MethodPost, "/branches")
				branch, created := answer["branch"].(map[string]any)
				if status != http.StatusCreated || !created {
					return
				}
				mu.Lock()
				id, _ := branch["id"].(string)
				acknowledged = append(acknowledged, id)
				if len(acknowledged) == enough {
					_ = p.command.Process.Kill() // The writers notice whether it worked.
				}
				mu.Unlock()
			}
		})
	}
	writers.Wait()
	_ = p.command.Wait() // It was killed.
	return acknowledged
}

func TestState_survivesKill(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.json")
	var acknowledged []string
	for _, enough := range []int{5, 40, 75} {
		acknowledged = append(acknowledged, startProgram(t, state).createUntilKilled(enough)...)
	}
	p := startProgram(t, state)
	for _, id := range acknowledged {
		if status, _ := p.ask(http.MethodGet, "/branches/"+id); status != http.StatusOK {
			t.Errorf("branch %s was acknowledged, and is gone: %d", id, status)
		}
	}
	if len(acknowledged) < 120 {
		t.Errorf("%d branches were acknowledged", len(acknowledged))
	}
	patience, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	said, err := command(patience, state).CombinedOutput()
	if err == nil || !strings.Contains(string(said), state+" is in use by another emulator") {
		t.Errorf("a second emulator: %v %s", err, said)
	}
	p.stop()
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(state), "*")); err != nil || len(left) != 1 {
		t.Errorf("beside the state are left %q, %v", left, err)
	}
}

// Connection strings have the port that databases are served on.
func TestState_keepsConnectionStrings(t *testing.T) {
	t.Parallel()
	if _, err := postgres.FindPrograms(t.Context()); err != nil {
		t.Skip(err)
	}
	state := filepath.Join(t.TempDir(), "state.json")
	var uris []any
	for range 2 {
		p := startProgram(t, state, "-postgres", "auto")
		_, answer := p.ask(http.MethodGet, "/connection_uri?database_name=neondb&role_name=neondb_owner")
		uris = append(uris, answer["uri"])
		p.stop()
	}
	if uri, _ := uris[0].(string); !strings.Contains(uri, ".neon.localhost:") || uris[0] != uris[1] {
		t.Errorf("connection strings before and after: %v", uris)
	}
}

// stop ends the process as Ctrl-C does, where there is such a thing for processes.
func (p *program) stop() {
	p.t.Helper()
	if runtime.GOOS == "windows" {
		_ = p.command.Process.Kill()
		_ = p.command.Wait()
		return
	}
	if err := p.command.Process.Signal(os.Interrupt); err != nil {
		p.t.Fatal(err)
	}
	ended := time.AfterFunc(2*time.Minute, func() { _ = p.command.Process.Kill() })
	defer ended.Stop()
	if err := p.command.Wait(); err != nil {
		p.t.Error(err)
	}
}
