package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	// superuser owns the cluster. Nobody gets to connect as it through the gateway.
	superuser = "cloud_admin"
	// startPatience is how long the server may take until it answers.
	startPatience = 30 * time.Second
	// stopPatience is how long it may take to end and to remove its files, of which
	// many databases have many.
	stopPatience = time.Minute
)

// settings make the server fast, small and reachable from its folder alone. Its data
// ends with it, so nothing needs to be safe on a disk.
var settings = []string{
	"listen_addresses=", "unix_socket_permissions=0700",
	"fsync=off", "full_page_writes=off", "synchronous_commit=off",
	"wal_level=minimal", "max_wal_senders=0", "max_wal_size=256MB", "autovacuum=off",
	"max_connections=500", "shared_buffers=64MB", "jit=off",
	// A session ends with its client, even in the middle of a query.
	"client_connection_check_interval=1000",
	// What goes wrong in a session is told to its client; here it could tell secrets.
	"log_min_messages=fatal", "log_min_error_statement=panic",
	"timezone=GMT",
}

// supervision runs the server until its input ends, which it does when we end,
// however we do; then it removes what the server has left.
const supervision = `
folder=$1; shift
"$@" >"$folder/log" 2>&1 &
read -r _
kill -QUIT $! 2>/dev/null
wait $!
cd /
rm -rf "$folder"
`

// Cluster is a private PostgreSQL server.
type Cluster struct {
	// Version is PostgreSQL's.
	Version string
	// Programs is the folder of the programs.
	Programs string

	folder     string
	lifeline   io.Closer
	supervisor chan struct{}
	closing    sync.Once
	closeErr   error
}

// Start makes a cluster in a temporary folder with the programs in the one given,
// and waits until it answers.
func Start(ctx context.Context, programs string) (*Cluster, error) {
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
	// The address of a socket has room for 100 bytes or so: the name is short.
	folder, err := os.MkdirTemp("", "neon-pg-") // It has mode 0700.
	if err != nil {
		return nil, err
	}
	c := &Cluster{Version: number, Programs: programs, folder: folder, supervisor: make(chan struct{})}
	if err := c.start(ctx, as); err != nil {
		return nil, errors.Join(fmt.Errorf("unable to start PostgreSQL %s of %s: %w", number, programs, err), c.Close())
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context, as *account) error {
	if err := as.own(c.folder); err != nil {
		return err
	}
	if err := c.initialize(ctx, as); err != nil {
		return err
	}
	args := []string{"-c", supervision, "sh", c.folder, c.program("postgres"), "-D", c.data(), "-k", c.folder}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	// Nothing but the end of its input ends it, not even that of the context.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "/bin/sh", args...) //nolint:gosec // It runs what this package is there to run.
	cmd.Env, cmd.Dir = environment(), c.folder
	as.detach(cmd)
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.lifeline = lifeline
	go func() {
		_ = cmd.Wait()
		close(c.supervisor)
	}()
	if err := c.awaitReady(ctx); err != nil {
		return err
	}
	return c.Exec(ctx, administration, "CREATE ROLE "+members+" NOLOGIN IN ROLE pg_read_all_data, pg_write_all_data")
}

func (c *Cluster) program(name string) string { return filepath.Join(c.Programs, name) }

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }

// Socket is the address of the server.
func (c *Cluster) Socket() string { return filepath.Join(c.folder, ".s.PGSQL.5432") }

// initialize makes the cluster's files. Who can reach the socket is trusted: that is
// the account of the server, and root.
func (c *Cluster) initialize(ctx context.Context, as *account) error {
	//nolint:gosec // It runs what this package is there to run.
	cmd := exec.CommandContext(ctx, c.program("initdb"), "-D", c.data(), "-U", superuser, "-A", "trust",
		"-E", "UTF8", "--locale=C", "--no-sync")
	cmd.Env, cmd.Dir = environment(), c.folder
	var output bytes.Buffer
	cmd.Stderr = &output
	as.detach(cmd)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, strings.TrimSpace(output.String()))
	}
	return nil
}

// awaitReady waits until the server says in its file that it takes connections.
func (c *Cluster) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience, fmt.Errorf("it doesn't answer within %s", startPatience))
	defer cancel()
	for {
		status, _ := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
		if bytes.Contains(status, []byte("\nready")) {
			return nil
		}
		log, _ := os.ReadFile(filepath.Join(c.folder, "log"))
		if bytes.Contains(log, []byte("FATAL:")) {
			return errors.New(strings.TrimSpace(string(log)))
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w\n%s", context.Cause(ctx), log)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// dial opens a connection to the server.
func (c *Cluster) dial(ctx context.Context) (net.Conn, error) {
	var dialer net.Dialer
	return dialer.DialContext(ctx, "unix", c.Socket())
}

// Close ends the server with all sessions, and removes its files. It does nothing
// where there is no cluster.
func (c *Cluster) Close() error {
	if c == nil {
		return nil
	}
	c.closing.Do(func() { c.closeErr = c.stop() })
	return c.closeErr
}

func (c *Cluster) stop() error {
	if c.lifeline == nil {
		return os.RemoveAll(c.folder)
	}
	err := c.lifeline.Close()
	select {
	case <-c.supervisor:
	case <-time.After(stopPatience):
		err = errors.Join(err, fmt.Errorf("PostgreSQL doesn't end within %s", stopPatience))
	}
	// In a folder that isn't open to all, the account can't remove its own.
	return errors.Join(err, os.RemoveAll(c.folder))
}
