package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/process"
)

// emulator is the running program and the world it serves.
type emulator struct {
	cmd       *exec.Cmd
	log       *bytes.Buffer
	exited    chan struct{}
	variables map[string]string
}

// startEmulator starts the program on a free port and waits until it has written
// how to reach its world.
func startEmulator(ctx context.Context, folder string) (*emulator, error) {
	envFile := filepath.Join(folder, "neon.env")
	log := &bytes.Buffer{}
	// The end of the context doesn't stop it: terraform, which is being
	// interrupted then, may still need it.
	cmd := process.Command(context.WithoutCancel(ctx), filepath.Join(process.ProgramsFolder(folder), "neon-emulator"),
		"-listen", "127.0.0.1:0", "-env-file", envFile)
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("unable to start the emulator: %w", err)
	}
	e := &emulator{cmd: cmd, log: log, exited: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(e.exited)
	}()
	if err := e.awaitVariables(ctx, envFile); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, e.stopAndReadLog())
	}
	return e, nil
}

// awaitVariables reads the file once all that the demo needs is in it.
func (e *emulator) awaitVariables(ctx context.Context, envFile string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 20*time.Second, errors.New("the emulator doesn't say where it is"))
	defer cancel()
	for {
		content, err := os.ReadFile(envFile)
		if err == nil {
			e.variables = parseExports(string(content))
			if e.variables["NEON_BASE_URL"] != "" && e.variables["NEON_PROJECT_ID"] != "" {
				return nil
			}
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-e.exited:
			return errors.New("the emulator stopped by itself")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// parseExports reads lines of the form export NAME=value; the value may be in
// quotation marks.
func parseExports(text string) map[string]string {
	variables := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if found && !strings.HasPrefix(name, "#") {
			variables[name] = strings.Trim(value, `'"`)
		}
	}
	return variables
}

// stop asks the emulator to end, and insists when it doesn't.
func (e *emulator) stop() { process.Stop(e.cmd, e.exited) }

func (e *emulator) stopAndReadLog() string {
	e.stop()
	return e.log.String()
}

// objects returns all that exists in the emulator's world.
func (e *emulator) objects(ctx context.Context) (objects, error) {
	var found objects
	err := e.control(ctx, http.MethodGet, "objects", nil, &found)
	return found, err
}

// loseAnswer has the connection break after the next request to a route, when that has had
// its effect.
func (e *emulator) loseAnswer(ctx context.Context, route string) error {
	return e.control(ctx, http.MethodPost, "faults", map[string]any{"route": route, "kind": "lost_after", "count": 1}, nil)
}

// lostAnswers is how often that has happened.
func (e *emulator) lostAnswers(ctx context.Context) (int, error) {
	var found struct {
		Faults []struct {
			Hits int `json:"hits"`
		} `json:"faults"`
	}
	err := e.control(ctx, http.MethodGet, "faults", nil, &found)
	lost := 0
	for _, fault := range found.Faults {
		lost += fault.Hits
	}
	return lost, err
}

// control calls the emulator's control path.
func (e *emulator) control(ctx context.Context, method, name string, body, answer any) error {
	address := strings.TrimSuffix(strings.TrimSuffix(e.variables["NEON_BASE_URL"], "/"), "/api/v2") + "/_emulator/" + name
	sent, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s answers with %s", address, response.Status)
	}
	if answer == nil {
		return nil
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	return nil
}
