package postgres

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// temporary is what the names of temporary folders begin with.
const temporary = "neon-pg-"

// longestSocket is how many bytes the address of a socket may have everywhere.
const longestSocket = 103

// Installation is PostgreSQL on this machine, ready to run any number of clusters. Its
// temporary folder holds their files.
type Installation struct {
	settingsTaken

	// Version is PostgreSQL's.
	Version string
	// Programs is the folder of the programs.
	Programs string

	others   versions
	as       *account
	folder   string
	last     atomic.Int64
	lifeline io.Closer
	swept    chan struct{}
	// ready is closed once clusters can be created, or never can: failed says why. abandon ends the work on it.
	ready   chan struct{}
	failed  error
	abandon context.CancelFunc
	// claim is locked for as long as this program uses the folder.
	claim *os.File
	// kept is the folder of the clusters that outlive this program, empty for none; inUse is
	// open in all programs that use it.
	kept  string
	inUse *os.File
	// copying has a place for each copy that is being made.
	copying  chan struct{}
	closing  sync.Once
	closeErr error
}

// preparation is what every cluster has. The roles that reach beyond the cluster are superusers, as
// whom nobody can log in: before PostgreSQL 16, who may create roles may grant any other. Nobody but the superuser
// ever connects to the one database that is left; no database is left that nobody needs.
const preparation = `DROP DATABASE postgres;
UPDATE pg_database SET datistemplate = false WHERE datname = 'template0';
DROP DATABASE template0;
` + createMembers + `;
UPDATE pg_authid SET rolsuper = true WHERE rolname IN (` +
	`'pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files');
`

// cleaning removes the folder when its input ends, which it does when this program
// ends, however it does. Servers that are about to end may still write.
const cleaning = `
folder=$1; read -r _
cd /; tries=0
until rm -rf "$folder" 2>/dev/null || [ $tries -ge 50 ]; do tries=$((tries+1)); sleep 0.1; done
`

// Prepare begins to create what clusters begin with, with the programs in a folder. That goes on when it
// returns: what needs it waits, as Ready does.
func Prepare(ctx context.Context, programs string) (*Installation, error) {
	if err := CheckPrograms(programs); err != nil {
		return nil, err
	}
	number, err := version(ctx, programs)
	if err != nil {
		return nil, err
	}
	as, err := serverAccount()
	if err != nil {
		return nil, err
	}
	removeAbandoned()
	folder, err := os.MkdirTemp("", temporary) // It has mode 0700.
	if err != nil {
		return nil, err
	}
	i := &Installation{Version: number, Programs: programs, as: as, folder: folder, swept: make(chan struct{}),
		ready: make(chan struct{}), copying: make(chan struct{}, mostCopies)}
	if err := i.prepare(ctx); err != nil {
		return nil, errors.Join(i.unprepared(err), i.Close())
	}
	i.begin(ctx)
	return i, nil
}

// Ready waits until clusters can be created, and says why they never can.
func (i *Installation) Ready(ctx context.Context) error {
	select {
	case <-i.ready:
		return i.failed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (i *Installation) unprepared(err error) error {
	return fmt.Errorf("unable to prepare PostgreSQL %s of %s: %w", i.Version, i.Programs, err)
}

func (i *Installation) prepare(ctx context.Context) error {
	if socket := socketIn(filepath.Join(i.folder, "1000000")); len(socket) > longestSocket {
		return fmt.Errorf("the name of the folder for temporary files is too long: a socket's address such as %s has at "+
			"most %d bytes (set TMPDIR to a shorter one)", socket, longestSocket)
	}
	if err := i.as.own(i.folder); err != nil {
		return err
	}
	var err error
	if i.claim, err = claim(i.folder); err != nil {
		return err
	}
	return i.guard(ctx)
}

// begin creates the template, which takes most of a second, until the installation is closed.
func (i *Installation) begin(ctx context.Context) {
	ctx, i.abandon = context.WithCancel(context.WithoutCancel(ctx))
	// Who can reach the socket is trusted: that is the account of the server, and root.
	initdb := i.command(ctx, i.program("initdb"), "-D", i.template(), "-U", superuser, "-A", "trust",
		"-E", "UTF8", "--locale=C", "--wal-segsize=1", "--no-sync")
	single := i.command(ctx, i.program("postgres"), "--single", "-D", i.template(), "-c", "fsync=off",
		"-c", "exit_on_error=on", administration)
	go func() {
		defer close(i.ready)
		err := finish(ctx, initdb, "")
		if err == nil {
			err = finish(ctx, single, preparation)
		}
		if err != nil {
			i.failed = i.unprepared(err)
		}
	}()
}

// claim locks a folder. The file has its name once it is locked: others take a folder whose file
// isn't locked for one that was abandoned.
func claim(folder string) (*os.File, error) {
	name := filepath.Join(folder, lockName)
	file, err := os.OpenFile(name+".new", os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // The folder was just created.
	if err != nil {
		return nil, err
	}
	lock(file)
	if err := os.Rename(file.Name(), name); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// removeAbandoned removes the folders of programs that were killed together with what removes
// them. One without a lock is just being created.
func removeAbandoned() {
	folders, _ := filepath.Glob(filepath.Join(os.TempDir(), temporary+"*")) // The pattern is well-formed.
	for _, folder := range folders {
		if strings.Trim(strings.TrimPrefix(filepath.Base(folder), temporary), "0123456789") != "" {
			continue // We give no such name.
		}
		claim, err := os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR, 0) //nolint:gosec // It is only locked.
		if err != nil {
			continue
		}
		if lock(claim) {
			_ = os.RemoveAll(folder) // What can't be removed is another account's.
		}
		_ = claim.Close() // Nothing was written.
	}
}

// guard starts what removes the folder if this program can't.
func (i *Installation) guard(ctx context.Context) error {
	cmd := i.command(context.WithoutCancel(ctx), "/bin/sh", "-c", cleaning, "sh", i.folder)
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	i.lifeline = lifeline
	go func() {
		defer close(i.swept)
		_ = cmd.Wait() // What it leaves is removed by Close.
	}()
	return nil
}

// command runs a program as the account, in the folder.
func (i *Installation) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // It runs what this package is there to run.
	cmd.Env, cmd.Dir = environment(), i.folder
	// One that is ended may leave somebody who holds its output.
	cmd.WaitDelay = time.Second
	i.as.detach(cmd)
	if i.inUse != nil {
		cmd.ExtraFiles = []*os.File{nil, i.inUse} // The third is the supervision's own.
	}
	return cmd
}

// run runs a program to its end, and returns what it says where it fails.
func (i *Installation) run(ctx context.Context, program string, args ...string) error {
	return finish(ctx, i.command(ctx, program, args...), "")
}

func finish(ctx context.Context, cmd *exec.Cmd, input string) error {
	var output bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &output
	err := cmd.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) { // That one has succeeded.
		return fmt.Errorf("%s: %w\n%s", filepath.Base(cmd.Path), err, strings.TrimSpace(output.String()))
	}
	return nil
}

func (i *Installation) program(name string) string { return filepath.Join(i.Programs, name) }

func (i *Installation) template() string { return filepath.Join(i.folder, "template") }

func (i *Installation) newFolder() string {
	return filepath.Join(i.folder, strconv.FormatInt(i.last.Add(1), 10))
}

// Create creates an empty cluster. Its server starts with its first use.
func (i *Installation) Create(ctx context.Context) (*Cluster, error) {
	if err := i.Ready(ctx); err != nil {
		return nil, err
	}
	return i.fill(ctx, func(ctx context.Context, data string) error {
		return i.run(ctx, "/bin/cp", "-R", i.template(), data)
	})
}

// fill creates a cluster whose files come from somewhere.
func (i *Installation) fill(ctx context.Context, from func(ctx context.Context, data string) error) (*Cluster, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, copyPatience, fmt.Errorf("copying takes longer than %s", copyPatience))
	defer cancel()
	folder := i.newFolder()
	c := &Cluster{home: i, folder: folder, files: folder}
	err := i.createFolder(folder)
	if err == nil && i.kept != "" {
		c.files = filepath.Join(i.kept, rand.Text())
		if err = i.createFolder(c.files); err == nil {
			err = os.WriteFile(filepath.Join(c.files, Mark), nil, 0o600)
		}
	}
	if err == nil {
		err = from(ctx, c.data())
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	c.idleSince = time.Now() // Whoever it was made for is about to use it.
	return c, nil
}

func (i *Installation) createFolder(name string) error {
	if err := os.Mkdir(name, 0o700); err != nil { //nolint:gosec // It is in a folder of ours.
		return err
	}
	return i.as.own(name)
}

// Close removes the folder. The clusters in it must be closed. It does nothing where
// there is no installation.
func (i *Installation) Close() error {
	if i == nil {
		return nil
	}
	i.closing.Do(func() {
		if i.abandon != nil {
			i.abandon()
			<-i.ready
		}
		i.closeErr = i.others.close()
		if i.inUse != nil {
			i.closeErr = errors.Join(i.closeErr, i.inUse.Close())
		}
		if i.lifeline != nil {
			i.closeErr = errors.Join(i.closeErr, i.lifeline.Close())
			<-i.swept
		}
		if i.claim != nil {
			i.closeErr = errors.Join(i.closeErr, i.claim.Close())
		}
		// In a folder that isn't open to all, the account can't remove its own.
		i.closeErr = errors.Join(i.closeErr, os.RemoveAll(i.folder))
	})
	return i.closeErr
}
