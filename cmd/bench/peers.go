package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// peer is a provider for Neon that others use.
var peer = provider{"neon", "kislerdm/neon", "peer/terraform-provider-neon"}

const peerConfig = `resource "neon_branch" "b" {
  count      = %[1]d
  project_id = %[2]q
  name       = "branch-${count.index + 1}"
}

resource "neon_endpoint" "e" {
  count      = %[1]d
  project_id = %[2]q
  branch_id  = neon_branch.b[count.index].id
  type       = "read_write"
}
`

// peerWorks is what both do, each on an emulator of its own.
var peerWorks = []struct {
	name               string
	count, parallelism int
	config             emulator.Config
	// isPlan is true where the plan is measured, once all has been created.
	isPlan bool
}{
	{"plan of 300 branches with an endpoint", 300, 20, instantly, true},
	{
		"create 100 branches with an endpoint, limits on", 100, 20,
		emulator.Config{Limits: emulator.LimitsWindow, Conflicts: emulator.ConflictsNone}, false,
	},
	{
		"create 10 branches with an endpoint, the project refuses overlapping work", 10, 10,
		emulator.Config{OperationDuration: time.Second, Limits: emulator.LimitsWindow}, false,
	},
}

// comparePeer prints what both providers need for the same work.
func (b *bench) comparePeer(ctx context.Context) error {
	program, err := filepath.Abs(b.peer)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(b.programOf(peer)), 0o750); err != nil {
		return err
	}
	if err := os.Symlink(program, b.programOf(peer)); err != nil {
		return err
	}
	b.print("| work | provider | time | CPU | requests | refused (429) | refused (423) |\n|---|---|---|---|---|---|---|\n")
	for _, work := range peerWorks {
		for _, of := range []provider{neon, peer} {
			p, err := b.startPlatform(work.config)
			if err != nil {
				return err
			}
			w, err := b.peerWorkspace(ctx, of, p, work.count)
			if err != nil {
				return err
			}
			do := func() error { return w.apply(ctx, work.parallelism) }
			if work.isPlan {
				err = do()
				do = func() error { return w.plan(ctx) }
			}
			if err != nil {
				return err
			}
			seen, err := p.observe(ctx, w, do)
			if err != nil {
				return err
			}
			b.print("| %s | %s | %s | %s | %d | %d | %d |\n", work.name, of.source, inSeconds(seen.seconds), inSeconds(seen.cpu),
				seen.Total, seen.ByStatus["429"], seen.ByStatus["423"])
		}
	}
	return nil
}

// peerWorkspace returns a workspace for so many branches with an endpoint.
func (b *bench) peerWorkspace(ctx context.Context, of provider, p *platform, count int) (*workspace, error) {
	if of != peer {
		return b.newWorkspace(of, p, branchesConfig, count)
	}
	variables, err := b.startAsNeon(ctx, p)
	if err != nil {
		return nil, err
	}
	w, err := b.newWorkspace(of, p, peerConfig, count)
	if err == nil {
		maps.Copy(w.variables, variables)
	}
	return w, err
}

// neonHost is the address that the other provider has in its code.
const neonHost = "console.neon.tech"

// startAsNeon serves the platform under Neon's own name, to programs that have the variables it returns: those of a proxy, and
// of a certificate.
func (b *bench) startAsNeon(ctx context.Context, p *platform) (map[string]string, error) {
	folder, err := os.MkdirTemp(b.folder, "certificate-")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", `go run "$(go env GOROOT)/src/crypto/tls/generate_cert.go" -ca -ecdsa-curve P256 -host `+neonHost)
	cmd.Dir = folder
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("unable to create a certificate: %w\n%s", err, output)
	}
	certificate, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	secure := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = "localhost" // An emulator refuses other names.
		p.emulator.ServeHTTP(w, r)
	})}
	through := make(tunnels)
	go func() { _ = secure.ServeTLS(through, certificate, key) }() // It ends when it is closed.
	proxy := httptest.NewServer(through)
	b.cleanup = append(b.cleanup, func() error {
		proxy.Close()
		close(through)
		return secure.Close()
	})
	return map[string]string{"HTTPS_PROXY": proxy.URL, "NO_PROXY": "", "SSL_CERT_FILE": certificate}, nil
}

// tunnels are the connections to Neon's host that a proxy was asked for. It is the proxy, and the listener that accepts them.
type tunnels chan net.Conn

// ServeHTTP opens a tunnel.
func (t tunnels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect || r.Host != neonHost+":443" {
		http.Error(w, "only "+neonHost+" is served", http.StatusForbidden)
		return
	}
	connection, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_, err = io.WriteString(connection, "HTTP/1.1 200 Connection established\r\n\r\n")
	}
	if err == nil {
		t <- connection
	}
}

// Accept returns the next one.
func (t tunnels) Accept() (net.Conn, error) {
	if connection, isOpen := <-t; isOpen {
		return connection, nil
	}
	return nil, net.ErrClosed
}

// Close does nothing: the proxy ends first.
func (t tunnels) Close() error { return nil }

// Addr is nobody's.
func (t tunnels) Addr() net.Addr { return &net.TCPAddr{} }
