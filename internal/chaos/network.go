package chaos

import (
	"context"
	"net"
	"net/http"
	"time"
)

// network has the connections to a platform in the memory of this process, so that an attack may have a clock of its
// own: that of testing/synctest goes on at once when all wait, but knows nothing of what a real network brings.
type network struct {
	dialed chan net.Conn
	closed context.Context
	close  context.CancelFunc
}

func newNetwork(ctx context.Context) *network {
	n := &network{dialed: make(chan net.Conn)}
	n.closed, n.close = context.WithCancel(ctx)
	return n
}

// transport is that of one client.
func (n *network) transport() *http.Transport {
	return &http.Transport{DialContext: n.dial, MaxIdleConnsPerHost: 64, IdleConnTimeout: time.Minute}
}

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case n.dialed <- local{theirs}:
		return ours, nil
	case <-n.closed.Done():
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept is a net.Listener's.
func (n *network) Accept() (net.Conn, error) {
	select {
	case conn := <-n.dialed:
		return conn, nil
	case <-n.closed.Done():
		return nil, net.ErrClosed
	}
}

// Close is a net.Listener's.
func (n *network) Close() error {
	n.close()
	return nil
}

// Addr is a net.Listener's.
func (n *network) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// local is a connection from this machine, of which alone the emulator takes the control path's calls.
type local struct{ net.Conn }

// RemoteAddr is a net.Conn's.
func (local) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
