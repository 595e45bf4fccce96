//go:build unix

package process

import (
	"os/exec"
	"syscall"
	"time"
)

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func interruptGroup(cmd *exec.Cmd) error {
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
}

func stopGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGSTOP) }

func continueGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGCONT) }

// endGroup ends what is left of the group, which most often is nothing, and waits until it
// is gone, so that nothing writes to our folder any more. What doesn't stop when it is told to is killed.
func endGroup(cmd *exec.Cmd) {
	group := -cmd.Process.Pid
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		err := syscall.Kill(group, signal)
		for end := time.Now().Add(Patience / 2); err == nil && time.Now().Before(end); err = syscall.Kill(group, 0) {
			time.Sleep(20 * time.Millisecond)
		}
		if err != nil {
			return
		}
	}
}
