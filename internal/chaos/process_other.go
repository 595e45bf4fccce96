//go:build !unix

package chaos

import "os/exec"

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killChildren(*exec.Cmd) bool { return false }
