// Package asneon serves an emulator under Neon's own name, to programs that have Neon's address in their code.
package asneon

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"time"
)

// host is Neon's.
const host = "console.neon.tech"

// Serve serves a handler as Neon's host to programs that have the variables it returns: those of a proxy, and of a
// certificate, which is kept in a folder. A program with them reaches nothing else through the proxy. What ends it is
// returned, too.
func Serve(
	ctx context.Context, folder string, handler http.Handler,
) (variables map[string]string, end func() error, err error) {
	cmd := exec.CommandContext(ctx, "sh", "-c",
		`go run "$(go env GOROOT)/src/crypto/tls/generate_cert.go" -ca -ecdsa-curve P256 -host `+host)
	cmd.Dir = folder
	if output, err := cmd.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("unable to create a certificate: %w\n%s", err, output)
	}
	certificate, key := filepath.Join(folder, "cert.pem"), filepath.Join(folder, "key.pem")
	secure := &http.Server{ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.Host = "localhost" // An emulator refuses other names.
			handler.ServeHTTP(w, r)
		})}
	through := make(tunnels)
	go func() { _ = secure.ServeTLS(through, certificate, key) }() // It ends when it is closed.
	proxy := httptest.NewServer(through)
	return map[string]string{"HTTPS_PROXY": proxy.URL, "NO_PROXY": "", "SSL_CERT_FILE": certificate}, func() error {
		proxy.Close()
		close(through)
		return secure.Close()
	}, nil
}

// tunnels are the connections to Neon's host that a proxy was asked for. It is the proxy, and the listener that accepts
// them.
type tunnels chan net.Conn

// ServeHTTP opens a tunnel.
func (t tunnels) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect || r.Host != host+":443" {
		http.Error(w, "only "+host+" is served", http.StatusForbidden)
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
