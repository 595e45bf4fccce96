package postgres

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

const (
	// superuser owns the clusters. It connects to a database of a branch only to take from a role that is deleted
	// what it has there, and nobody connects as it through the gateway.
	superuser = "cloud_admin"
	// copyPatience is how long the files of a cluster may take to be copied.
	copyPatience = 5 * time.Minute
	// stopPatience is how long a server may take to end.
	stopPatience = 30 * time.Second
)

var (
	errClosed = errors.New("the branch was deleted")
	// errUsedFromBefore says that somebody uses the server since before its compute has started.
	errUsedFromBefore = errors.New("the compute's last sessions haven't ended")
)

// Cluster is the data of one branch, with a PostgreSQL server that runs while
// somebody uses it.
type Cluster struct {
	home *Installation
	// folder has what goes with this program, and files what may be kept.
	folder, files string
	// released ends what the cluster uses itself; nil for nothing.
	released func()

	mu sync.Mutex
	// settings are those that its next server has.
	settings Settings
	// started is the last start of the compute that a user of it knew.
	started time.Time
	// server is the last one that was started.
	server *server
	// users are all who need it to run, and followers those of them that are replicas, which wait for its next server.
	users, followers int
	idleSince        time.Time
	closed           bool
}

func (c *Cluster) data() string { return filepath.Join(c.files, "data") }

// Socket is the address of the server.
func (c *Cluster) Socket() string { return socketIn(c.folder) }

func socketIn(folder string) string { return filepath.Join(folder, ".s.PGSQL.5432") }

// Use has the server run until it is released.
func (c *Cluster) Use(ctx context.Context) (release func(), err error) {
	c.mu.Lock()
	s, err := c.enter() //nolint:contextcheck // The server outlives its first user.
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return c.await(ctx, s)
}

// UseWith does as Use, on a server that has settings unless others who use it since the compute has started
// keep it from them. Those who use it since before then are waited for: their sessions end.
func (c *Cluster) UseWith(ctx context.Context, settings Settings) (release func(), err error) {
	for {
		s, err := c.enterWith(settings) //nolint:contextcheck // The server outlives its first user.
		switch {
		case err == nil:
			return c.await(ctx, s)
		case !errors.Is(err, errUsedFromBefore):
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(startInterval):
		}
	}
}

// await returns once the server takes connections.
func (c *Cluster) await(ctx context.Context, s *server) (release func(), err error) {
	release = sync.OnceFunc(c.leave)
	select {
	case <-s.ready:
		err = s.err
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

func (c *Cluster) enterWith(settings Settings) (*server, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settings = settings
	if c.mustRestart() && c.users > c.followers && settings.Started.After(c.started) {
		return nil, errUsedFromBefore
	}
	c.started = settings.Started
	return c.enter()
}

// mustRestart reports whether the server runs with other settings than the next one will.
func (c *Cluster) mustRestart() bool {
	return c.server != nil && !c.server.over() && !c.server.settings.equal(c.settings)
}

// enter counts a user, and starts the server for the first. The caller holds the lock.
func (c *Cluster) enter() (*server, error) {
	if c.closed {
		return nil, errClosed
	}
	if c.mustRestart() && c.users == c.followers {
		c.server.rest()
	}
	if c.server == nil || c.server.over() {
		started, err := c.launch(c.server)
		if err != nil {
			return nil, err
		}
		c.server = started
	}
	c.users++
	return c.server, nil
}

// follow counts replicas, each of which uses the cluster.
func (c *Cluster) follow(more int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.followers += more
}

func (c *Cluster) leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users--
	c.idleSince = time.Now()
}

// Idle reports whether nobody has used the cluster for some time.
func (c *Cluster) Idle(patience time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.users == 0 && time.Since(c.idleSince) >= patience
}

// Rest ends the server if nobody has used it for some time. The next use starts it
// again.
func (c *Cluster) Rest(patience time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users == 0 && c.server != nil && !c.server.over() && time.Since(c.idleSince) >= patience {
		c.server.rest()
	}
}

// Running reports whether the cluster's server runs.
func (c *Cluster) Running() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server != nil && !c.server.over()
}

// Size is that of the files of its databases, in bytes.
func (c *Cluster) Size() int64 {
	var size int64
	_ = filepath.WalkDir(filepath.Join(c.data(), "base"), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // A file that has just been removed has no size.
		}
		if info, err := entry.Info(); err == nil && entry.Type().IsRegular() {
			size += info.Size()
		}
		return nil
	})
	return size
}

func (c *Cluster) dial(ctx context.Context) (net.Conn, error) {
	var dialer net.Dialer
	return dialer.DialContext(ctx, "unix", c.Socket())
}

// Close kills the server with whatever its sessions do, and removes its files.
func (c *Cluster) Close() error { return errors.Join(c.End(), os.RemoveAll(c.files)) }

// End kills the server with whatever its sessions do. Its files stay where they are kept.
func (c *Cluster) End() error {
	c.mu.Lock()
	c.closed = true
	s := c.server
	c.mu.Unlock()
	var err error
	if s != nil {
		err = s.kill()
	}
	if c.released != nil {
		c.released()
	}
	return errors.Join(err, os.RemoveAll(c.folder))
}
