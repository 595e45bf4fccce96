package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// anothersEnvFile is what another emulator has written.
const anothersEnvFile = "export NEON_BASE_URL=http://127.0.0.1:1\nexport NEON_API_KEY=napi_1\nexport NEON_EMULATOR_PID=1\n"

// What an emulator hasn't written stays as it is, whatever -env-file names.
func TestRun_keepsFilesOfOthers(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a .env":                       "DATABASE_URL=postgres://user:pw@prod/db\nSTRIPE_KEY=sk\n",
		"Neon's own variables":         "export NEON_BASE_URL=http://127.0.0.1:1\nexport NEON_API_KEY=napi_1\n",
		"an emulator's with a line":    anothersEnvFile + "export STRIPE_KEY=sk\n",
		"an emulator's with a comment": anothersEnvFile + "# mine\n",
	} {
		for _, linked := range []bool{false, true} {
			folder := t.TempDir()
			file, named := filepath.Join(folder, "theirs"), filepath.Join(folder, "theirs")
			err := os.WriteFile(file, []byte(text), 0o600)
			if linked {
				named = filepath.Join(folder, "link")
				err = errors.Join(err, os.Symlink(file, named))
			}
			if err != nil {
				t.Fatal(err)
			}
			err = run(t.Context(), []string{"-listen", "127.0.0.1:0", "-postgres", "off", "-env-file", named}, io.Discard,
				io.Discard)
			if err == nil || !strings.Contains(err.Error(), "name a new file") {
				t.Errorf("%s: %v", name, err)
			}
			info, err := os.Lstat(named)
			if left, _ := os.ReadFile(file); string(left) != text || err != nil || linked != (info.Mode()&os.ModeSymlink != 0) {
				t.Errorf("%s: %q is left, %v", name, left, err)
			}
		}
	}
	err := run(t.Context(), []string{"-listen", "127.0.0.1:0", "-postgres", "off", "-env-file", os.DevNull}, io.Discard,
		io.Discard)
	if info, missing := os.Stat(os.DevNull); err == nil || missing != nil || info.Mode().IsRegular() {
		t.Errorf("%s: %v, %v", os.DevNull, err, missing)
	}
}

// An emulator takes over what another one left, and an empty file, such as one of mktemp.
func TestRun_replacesEnvFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"another emulator's": anothersEnvFile, "an empty one": ""} {
		file := filepath.Join(t.TempDir(), "neon.env")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		onceServing := writerFunc(func(said []byte) (int, error) {
			if strings.Contains(string(said), "serving on") {
				stop()
			}
			return len(said), nil
		})
		if err := run(ctx, []string{"-listen", "127.0.0.1:0", "-postgres", "off", "-env-file", file}, io.Discard,
			onceServing); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s: the file is left", name)
		}
	}
}

// An emulator that serves keeps its file, and with -detach its log, whoever starts another one with the same.
func TestRun_keepsFilesOfTheLiving(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, log := filepath.Join(folder, "neon.env"), filepath.Join(folder, "neon.log")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	serving, ended := make(chan bool, 1), make(chan error, 1)
	onceServing := writerFunc(func(said []byte) (int, error) {
		if strings.Contains(string(said), "serving on") {
			serving <- true
		}
		return len(said), nil
	})
	arguments := []string{"-listen", "127.0.0.1:0", "-postgres", "off", "-env-file", file}
	go func() { ended <- run(ctx, arguments, io.Discard, onceServing) }()
	<-serving
	text, err := os.ReadFile(file)
	if err = errors.Join(err, os.WriteFile(log, []byte("neon-emulator: serving\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, more := range [][]string{nil, {"-detach"}} {
		err := run(short, append(more, arguments...), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "still serves at http://127.0.0.1:") {
			t.Errorf("%v: %v", more, err)
		}
	}
	after, _ := os.ReadFile(file)
	if said, _ := os.ReadFile(log); !bytes.Equal(after, text) || string(said) != "neon-emulator: serving\n" {
		t.Errorf("its files have become %q and %q", after, said)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// -detach writes its messages to no file that has other lines.
func TestDetach_keepsLogsOfOthers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	log := filepath.Join(folder, "production.log")
	if err := os.WriteFile(log, []byte("my log\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("false") // It isn't started.
	if err != nil {
		t.Skip(err)
	}
	err = detach(program, nil, filepath.Join(folder, "production.env"), io.Discard)
	if left, _ := os.ReadFile(log); err == nil || !strings.Contains(err.Error(), log) || string(left) != "my log\n" {
		t.Errorf("%q is left, %v", left, err)
	}
}

// No emulator writes its messages to the file that programs read, nor to the log of an emulator with another env-file.
func TestLogBeside_isOfOneFile(t *testing.T) {
	t.Parallel()
	ofLog := map[string]string{}
	for _, envFile := range []string{"neon.env", "neon", "neon.sh", "neon.production", "neon.production.env", "neon.log",
		".env", ".neon/neon.env"} {
		log := logBeside(envFile)
		if other, taken := ofLog[log]; taken || log == envFile {
			t.Errorf("%s is the log of %s and of %q", log, envFile, other)
		}
		ofLog[log] = envFile
	}
}

// The program in the background is started without -detach, and with all that other flags say.
func TestIsDetach(t *testing.T) {
	t.Parallel()
	for argument, want := range map[string]bool{"-detach": true, "--detach": true, "-detach=true": true, "detach": false,
		"-data": false} {
		if got := isDetach(argument); got != want {
			t.Errorf("%s: %t, want %t", argument, got, want)
		}
	}
}
