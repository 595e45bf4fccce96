//go:build !unix

package process

import (
	"errors"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func interruptGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func stopGroup(*exec.Cmd) error { return errors.ErrUnsupported }

func continueGroup(*exec.Cmd) error { return errors.ErrUnsupported }

func endGroup(*exec.Cmd) {}
