//go:build unix

package postgres

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// account is who the server runs as, nil for who we are.
type account struct{ uid, gid int }

// serverAccount is an unprivileged one where we are root: the server refuses to run
// as root. It must be in the list of users, which the server looks itself up in.
func serverAccount() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil //nolint:nilnil // No other account is needed.
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(found.Uid)
		gid, gidErr := strconv.Atoi(found.Gid)
		if uidErr == nil && gidErr == nil && uid > 0 {
			return &account{uid, gid}, nil
		}
	}
	return nil, errors.New("PostgreSQL doesn't run as root, and there is no user postgres or nobody to run it as")
}

// own gives a file or folder to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid) //nolint:gosec // It is named by who starts the emulator.
}

// detach makes the command run as the account, and in a process group of its own:
// Ctrl-C is for us, who end it in order, with all that it has started.
func (a *account) detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
	}
}

// lock locks a file for all who have it open, until the last of them has closed it.
func lock(file *os.File) bool {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil
}
