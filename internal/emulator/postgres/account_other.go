//go:build !unix

package postgres

import (
	"errors"
	"os"
	"os/exec"
)

// account is who the server runs as.
type account struct{}

func serverAccount() (*account, error) {
	return nil, errors.New("databases are served on Unix-like systems only")
}

func (*account) own(string) error { return nil }

func (*account) detach(*exec.Cmd) {}

func lock(*os.File) bool { return false }
