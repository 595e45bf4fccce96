package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestParse_refusesOtherMachines(t *testing.T) {
	t.Parallel()
	for address, served := range map[string]bool{
		"127.0.0.1:0": true, "127.0.0.2:8473": true, "[::1]:0": true, "localhost:0": true,
		"0.0.0.0:0": false, "[::]:0": false, ":8473": false, "192.168.0.1:0": false, "example.com:0": false,
		"127.0.0.1": false, "127.0.0.1.example.com:0": false,
	} {
		_, err := parse([]string{"-listen", address}, io.Discard)
		if served != (err == nil) {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && !strings.Contains(err.Error(), "-listen is") {
			t.Errorf("%s: the error doesn't name the option: %v", address, err)
		}
	}
}

func TestParse_exposes(t *testing.T) {
	t.Parallel()
	for args, served := range map[string]bool{
		"-listen 0.0.0.0:8473 -expose": true, "-expose -listen 10.0.0.1:0 -postgres-listen 0.0.0.0:5432": true,
		"-expose -listen example.com:0": false, "-postgres-listen 0.0.0.0:5432": false,
	} {
		if _, err := parse(strings.Fields(args), io.Discard); served != (err == nil) {
			t.Errorf("%s: %v", args, err)
		}
	}
}

func TestParse_saysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args string
		says []string
	}{
		{"-operation-duration 3", []string{"-operation-duration", "such as 300ms, 2s or 1m30s"}},
		{"-operation-duration -1s", []string{"-operation-duration", "more than nothing"}},
		{"-postgres-listen 0.0.0.0:5433", []string{"-postgres-listen", "127.0.0.1 with a port"}},
		{"-postgres-listen 127.0.0.1:x", []string{"its port must be a number"}},
		{"-listen 8473", []string{`-listen is "8473"`, "such as 127.0.0.1:8473"}},
		{"-connect-host db:5432", []string{"-connect-host", "without a port"}},
		{"-connect-host http://db", []string{"-connect-host", "without a port"}},
		{"-connect-host=", []string{"-connect-host", "without a port"}},
		{"-allow-origin localhost:5173", []string{"-allow-origin", "such as http://localhost:5173"}},
		{"-allow-origin http://localhost:5173/", []string{"-allow-origin", "such as http://localhost:5173"}},
		{"-branch-page 0", []string{"-branch-page", "a whole number, at least 1"}},
		{"-branch-page many", []string{"-branch-page", "a whole number, at least 1"}},
		{"-conflicts all", []string{"-conflicts", "it must be project, branch or none"}},
		{"-readings branch-origin=soon", []string{"-readings", `branch-origin is "soon"`, "late, asked, always"}},
		{"-readings parents=late", []string{"-readings", `no reading "parents"`, "branch-origin=late|asked|always"}},
		{"-readings branch-origin=late,branch-origin=asked", []string{"-readings", "give it once"}},
		{"-limits yes", []string{"-limits", "it must be on, paced or off"}},
		{"-plan pro", []string{"-plan", "it must be free, launch or scale"}},
		{"-detach", []string{"-detach needs -env-file"}},
		{"-data here -state there", []string{"-data", "-state", "give one of them"}},
		{"-postgres off -postgres-listen 127.0.0.1:5433", []string{"-postgres-listen", "-postgres off", "give one of them"}},
		{"-data=", []string{"-data", "it must not be empty"}},
		{"-postgres=", []string{"-postgres", "it must not be empty"}},
		{"-plane free", []string{"-plane", "neon-emulator -h lists the flags"}},
		{"free", []string{`unexpected argument "free"`, "neon-emulator -h lists the flags"}},
	} {
		var printed bytes.Buffer
		_, err := parse(strings.Fields(test.args), &printed)
		for _, want := range test.says {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q isn't in %v", test.args, want, err)
			}
		}
		if printed.Len() > 0 {
			t.Errorf("%s: the error is told twice: %s", test.args, printed.String())
		}
	}
}

func TestParse_help(t *testing.T) {
	t.Parallel()
	var printed bytes.Buffer
	if _, err := parse([]string{"-h"}, &printed); !errors.Is(err, flag.ErrHelp) {
		t.Fatal(err)
	}
	for _, want := range []string{"Usage: neon-emulator [flags]", "go install ", "-seed-world file",
		"-operation-duration duration", "-v\t"} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("%q isn't in the help:\n%s", want, printed.String())
		}
	}
}

func TestRun_version(t *testing.T) {
	t.Parallel()
	var printed bytes.Buffer
	if err := run(t.Context(), []string{"-version"}, &printed, io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(printed.String(), "neon-emulator ") || len(printed.String()) < len("neon-emulator v\n") {
		t.Errorf("it prints %q", printed.String())
	}
}

// Files that can't be where a flag names them are refused before anything is prepared.
func TestRun_files(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	nowhere := filepath.Join(folder, "nowhere", "file")
	for _, test := range []struct{ flag, value, says string }{
		{"-env-file", folder, "is a folder; it must be a file"},
		{"-env-file", nowhere, "there is no folder " + filepath.Dir(nowhere)},
		{"-state", folder, "is a folder; it must be a file"},
		{"-state", nowhere, "there is no folder " + filepath.Dir(nowhere)},
		{"-data", file, "is a file; it must be a folder"},
		{"-seed-world", nowhere, "no such file"},
		{"-postgres", "on", "it must be auto, off or a folder"},
	} {
		var printed bytes.Buffer
		err := run(t.Context(), []string{"-listen", "127.0.0.1:0", test.flag, test.value}, &printed, &printed)
		if err == nil || !strings.Contains(err.Error(), test.flag+" is "+strconv.Quote(test.value)) ||
			!strings.Contains(err.Error(), test.says) {
			t.Errorf("%s %s: %v", test.flag, test.value, err)
		}
		if printed.Len() > 0 {
			t.Errorf("%s %s: before that it prints %s", test.flag, test.value, printed.String())
		}
	}
}

// The file with the shell commands is there for as long as they are true.
func TestRun_removesEnvFile(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]string{"ours": "", "another emulator's": anothersEnvFile, "a person's": "A=1\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "neon.env")
			ctx, stop := context.WithCancel(t.Context())
			onceServing := writerFunc(func(text []byte) (int, error) {
				if strings.Contains(string(text), "serving on") {
					defer stop()
					if after != "" {
						return len(text), os.WriteFile(file, []byte(after), 0o600)
					}
				}
				return len(text), nil
			})
			if err := run(ctx, []string{"-listen", "127.0.0.1:0", "-postgres", "off", "-env-file", file}, io.Discard,
				onceServing); err != nil {
				t.Fatal(err)
			}
			left, err := os.ReadFile(file)
			if string(left) != after || (err == nil) != (after != "") {
				t.Errorf("%q is left, %v", left, err)
			}
		})
	}
}

// A second emulator at the same address says so before it prepares anything.
func TestRun_addressInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	var stderr bytes.Buffer
	err = run(t.Context(), []string{"-listen", listener.Addr().String()}, io.Discard, &stderr)
	if err == nil || !strings.Contains(err.Error(), "-listen 127.0.0.1:0 picks a free port") || stderr.Len() > 0 {
		t.Errorf("%v; before that it says %q", err, stderr.String())
	}
}

// Whoever stops it while it starts reads of no failure.
func TestRun_stoppedAtItsStart(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := run(ctx, []string{"-listen", "127.0.0.1:0"}, io.Discard, io.Discard); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// With -detach the program returns once the emulator serves, which goes on by itself; or it
// says why it can't.
func TestDetach(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	program, envFile := filepath.Join(folder, "neon-emulator"), filepath.Join(folder, "neon.env")
	if said, err := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program,
		".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	start := func(listen, envFile string) (string, error) {
		said, err := exec.CommandContext(t.Context(), program, "-detach", "-listen", listen, "-postgres", "off", "-env-file",
			envFile).CombinedOutput()
		return string(said), err
	}
	if said, err := start("127.0.0.1:0", envFile); err != nil || !strings.Contains(said,
		"its messages are in "+filepath.Join(folder, "neon.log")) ||
		!strings.Contains(said, "no database is served: -postgres is off") {
		t.Fatalf("%v\n%s", err, said)
	}
	environment := map[string]string{}
	text, err := os.ReadFile(envFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "export ")), "=")
		environment[name] = strings.Trim(value, `'"`)
	}
	pid, err := strconv.Atoi(environment["NEON_EMULATOR_PID"])
	if err != nil {
		t.Fatal(err)
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := process.Kill(); err != nil {
			t.Error(err)
		}
	}()
	taken := strings.TrimPrefix(environment["NEON_BASE_URL"], "http://")
	if said, err := start(taken, filepath.Join(folder, "second.env")); err == nil ||
		!strings.Contains(said, "another emulator may be running") {
		t.Errorf("a second one at %s: %v\n%s", taken, err, said)
	}
}

// What a killed emulator left at this address leads nowhere.
func TestRemoveStale(t *testing.T) {
	t.Parallel()
	const address = "http://127.0.0.1:8473"
	for text, stays := range map[string]bool{
		"export NEON_BASE_URL=http://127.0.0.1:8473\nexport NEON_EMULATOR_PID=1\n":             false,
		"export NEON_BASE_URL=http://127.0.0.1:9\nexport NEON_EMULATOR_PID=1\n":                true,
		"export NEON_BASE_URL=http://127.0.0.1:8473\n":                                         true,
		"export NEON_BASE_URL=http://127.0.0.1:8473\nexport NEON_EMULATOR_PID=1\nexport B=1\n": true,
	} {
		file := filepath.Join(t.TempDir(), "neon.env")
		if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), removeStale(file, address)); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(file); (err == nil) != stays {
			t.Errorf("%q: stays is %t, %v", text, err == nil, err)
		}
	}
}
