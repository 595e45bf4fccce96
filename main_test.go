//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// A provider whose Terraform was killed ends, and with it the last who could write to the pipe.
func TestEndWithParent(t *testing.T) {
	if os.Getenv("NEON_TEST_ORPHAN") != "" {
		parent := os.Getppid()
		fmt.Println("begun")
		endWithParent(provider.NewServer("test"), parent)
	}
	parent := exec.CommandContext(t.Context(), "sh", "-c", `"$0" -test.run=TestEndWithParent & wait`, os.Args[0])
	parent.Env = append(os.Environ(), "NEON_TEST_ORPHAN=1")
	out, err := parent.StdoutPipe()
	if err == nil {
		err = parent.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "begun\n" {
		t.Fatalf("it says %q: %v", line, err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if left, err := io.ReadAll(lines); err != nil || len(left) > 0 {
		t.Errorf("it says %q: %v", left, err)
	}
}
