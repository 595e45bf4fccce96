package postgres

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// startPatience is how long the server may take until it answers.
	startPatience = 2 * time.Minute
	startInterval = 5 * time.Millisecond
)

// settings make the server fast, small and reachable from its folder alone. Its data
// ends with this program, so nothing needs to be safe on a disk.
var settings = []string{
	"listen_addresses=", "unix_socket_permissions=0700",
	// A statement that never ends must not fill the disk. Only a superuser may raise it.
	"temp_file_limit=2GB",
	"fsync=off", "full_page_writes=off", "max_wal_size=64MB", "autovacuum=off",
	"max_connections=100", "shared_buffers=16MB", "jit=off", "max_logical_replication_workers=0",
	// Branches and read-only endpoints are copied from it, however much is written meanwhile: a
	// slot keeps what a copy or a replica hasn't read.
	"wal_level=replica", "max_wal_senders=100", "max_replication_slots=100", "wal_receiver_create_temp_slot=on",
	// A replica finds its primary at once after a restart.
	"wal_retrieve_retry_interval=100ms",
	"wal_keep_size=64MB", "max_slot_wal_keep_size=8GB", "hot_standby=on",
	// A session ends with its client, even in the middle of a query.
	"client_connection_check_interval=1000",
	// What goes wrong in a session is told to its client; here it could tell secrets.
	"log_min_messages=fatal", "log_min_error_statement=panic",
	"timezone=GMT",
}

// supervision runs the server until its input ends, which it does when this program
// ends, however it does. A line before that ends the server in order. One that is only
// starting doesn't hear the first signal: the shell has it ignore them until it listens. The
// shell waits for all that it has started, as nobody else may: this program may be the first of a container.
const supervision = `
log=$1; shift; exec 3<&0
"$@" >"$log" 2>&1 </dev/null 3<&- & server=$!
{ while read -r _; do kill -INT $server; done <&3; trap exit TERM
  while kill -QUIT $server; do sleep 0.1; done; } 2>/dev/null & reader=$!
exec 3<&-
wait $server
kill $reader 2>/dev/null
wait $reader 2>/dev/null
`

// server is one run of a cluster's server.
type server struct {
	lifeline io.WriteCloser
	// ready is closed when the server takes connections, or err says why it doesn't.
	ready chan struct{}
	err   error
	ended chan struct{}
	// leaving is set once the server was told to end.
	leaving bool
	// settings are those that it was started with.
	settings Settings
}

// launch starts the server once the one before has ended.
func (c *Cluster) launch(before *server) (*server, error) {
	input, lifeline, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s := &server{lifeline: lifeline, ready: make(chan struct{}), ended: make(chan struct{}), settings: c.settings}
	go func() {
		defer close(s.ended)
		if before != nil {
			before.await()
		}
		defer func() { _ = lifeline.Close() }()
		s.run(c, input)
	}()
	return s, nil
}

// run runs the server to its end.
func (s *server) run(c *Cluster, input *os.File) {
	log := filepath.Join(c.folder, "log")
	args := []string{"-c", supervision, "sh", log, c.home.program("postgres"), "-D", c.data(), "-k", c.folder}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	if c.released != nil { // Nobody follows a replica, so it need not keep what it has replayed.
		args = append(args, "-c", "wal_keep_size=0")
	}
	args = append(args, c.arguments(s.settings)...)
	// A server that was killed leaves this file.
	_ = os.Remove(c.status())
	cmd := c.home.command(context.Background(), "/bin/sh", args...)
	cmd.Stdin = input
	err := c.beginAgain()
	if err == nil {
		err = cmd.Start()
	}
	_ = input.Close() // The process has its own.
	if err != nil {
		s.err = err
		close(s.ready)
		return
	}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = cmd.Wait() // How it ends doesn't matter.
	}()
	if s.err = c.awaitReady(exited, log); s.err != nil {
		_ = s.lifeline.Close()
	} else {
		c.hasRecovered()
	}
	close(s.ready)
	<-exited
}

// awaitReady waits until the server says in its file that it takes connections.
func (c *Cluster) awaitReady(exited <-chan struct{}, log string) error {
	said := func(reason string) error {
		text, _ := os.ReadFile(log) //nolint:gosec // It is the server's.
		return fmt.Errorf("PostgreSQL %s\n%s", reason, strings.TrimSpace(string(text)))
	}
	for deadline := time.Now().Add(startPatience); ; {
		status, _ := os.ReadFile(c.status())
		if bytes.Contains(status, []byte("\nready")) {
			return nil
		}
		select {
		case <-exited:
			return said("doesn't start")
		case <-time.After(startInterval):
		}
		if time.Now().After(deadline) {
			return said(fmt.Sprintf("doesn't answer within %s", startPatience))
		}
	}
}

func (c *Cluster) status() string { return filepath.Join(c.data(), "postmaster.pid") }

// over reports whether no new session can begin.
func (s *server) over() bool {
	select {
	case <-s.ended:
		return true
	default:
		return s.leaving
	}
}

// rest ends the server in order, once no session is left.
func (s *server) rest() {
	s.leaving = true
	_, _ = io.WriteString(s.lifeline, "\n") // One that has ended needs no word.
}

// await waits until a server that was told to end has ended.
func (s *server) await() {
	select {
	case <-s.ended:
	case <-time.After(stopPatience):
		_ = s.kill() // It gets no second chance.
	}
}

// kill ends the server with all that it does.
func (s *server) kill() error {
	_ = s.lifeline.Close() // It may be closed already.
	select {
	case <-s.ended:
		return nil
	case <-time.After(stopPatience):
		return fmt.Errorf("PostgreSQL doesn't end within %s", stopPatience)
	}
}
