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

func terminate(cmd *exec.Cmd) error {
	return cmd.Process.Signal(syscall.SIGTERM)
}

// killGroup ends what is left of the group, which most often is nothing, and waits
// a moment until it is gone, so that nothing writes to our folder any more.
func killGroup(cmd *exec.Cmd) {
	for range 20 {
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}
