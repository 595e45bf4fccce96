package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// zombies are the children of this process that have ended, and that nobody has waited for.
func zombies() (found []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat") // The pattern is well-formed.
	for _, name := range all {
		text, _ := os.ReadFile(name)
		program, rest, _ := strings.Cut(string(text), ") ")
		if strings.HasPrefix(rest, fmt.Sprintf("Z %d ", os.Getpid())) {
			found = append(found, program)
		}
	}
	return found
}

// Where the emulator is the first process, as in a container, all orphans are its own: a server that ends leaves none.
//
//nolint:paralleltest // Others' processes would end meanwhile.
func TestServer_leavesNoZombies(t *testing.T) {
	const becomeSubreaper = 36
	if _, _, failure := syscall.RawSyscall(syscall.SYS_PRCTL, becomeSubreaper, 1, 0); failure != 0 {
		t.Skip(failure)
	}
	defer func() { _, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, becomeSubreaper, 0, 0) }()
	for range 2 { // One that rests, and one that is killed.
		c := startCluster(t)
		release, err := c.Use(t.Context())
		must(t, err)
		release()
		c.Rest(0)
		c.server.await()
		release, err = c.Use(t.Context())
		must(t, err)
		release()
		must(t, c.End())
	}
	left := zombies()
	for deadline := time.Now().Add(time.Minute); len(left) > 0 && time.Now().Before(deadline); left = zombies() {
		time.Sleep(10 * time.Millisecond)
	}
	if len(left) > 0 {
		t.Errorf("servers that have ended leave %q", left)
	}
}
