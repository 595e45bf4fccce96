// Package serverless serves databases to clients that have no sockets, as Neon's proxy does: SQL over
// HTTP, and PostgreSQL's own protocol inside WebSockets (https://github.com/neondatabase/neon, proxy/src/serverless).
package serverless

import (
	"context"
	_ "embed"
	"net"
	"net/http"
	"strings"

	"github.com/coder/websocket"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// preload has Node lead the driver here.
//
//go:embed neon-here.mjs
var preload []byte

// preloadPath is where it is.
const preloadPath = "/neon-here.mjs"

// mostSockets is how many WebSockets are open at once.
const mostSockets = 1000

// Door is an http.Handler for what clients without sockets ask for.
type Door struct {
	gateway *postgres.Gateway
	pool    *postgres.Pool
	sockets chan struct{}
}

// New opens a door to a gateway. Without one, nothing is behind it.
func New(gateway *postgres.Gateway) *Door {
	return &Door{gateway, postgres.NewPool(gateway), make(chan struct{}, mostSockets)}
}

// Wants reports whether a request is for the door.
func Wants(r *http.Request) bool {
	return r.URL.Path == "/sql" || r.URL.Path == preloadPath || isUpgrade(r)
}

func isUpgrade(r *http.Request) bool { return strings.EqualFold(r.Header.Get("Upgrade"), "websocket") }

// requestHeaders are those that tell what is wanted.
const requestHeaders = "Authorization, Neon-Connection-String, Neon-Raw-Text-Output, Neon-Array-Mode, " +
	"Neon-Pool-Opt-In, Neon-Batch-Isolation-Level, Neon-Batch-Read-Only, Neon-Batch-Deferrable, Content-Type"

// ServeHTTP answers a query, or opens a WebSocket.
func (d *Door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == preloadPath:
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		_, _ = w.Write(preload) // A client that has gone needs no answer.
	case d.gateway == nil:
		answer(w, http.StatusServiceUnavailable, map[string]string{
			"message": "the emulator serves no database: it has found no PostgreSQL server's programs, or was started with " +
				"-postgres off",
		})
	case isUpgrade(r):
		d.serveSocket(w, r)
	case r.Method == http.MethodPost:
		d.serveQuery(w, r)
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", "OPTIONS, POST")
		w.Header().Set("Access-Control-Allow-Origin", "*") // Pages of others don't get to here.
		w.Header().Set("Access-Control-Allow-Headers", requestHeaders)
		w.Header().Set("Access-Control-Max-Age", "86400")
	default:
		answer(w, http.StatusBadRequest, map[string]string{"message": "query is not supported"})
	}
}

// serveSocket serves a session in a WebSocket, to the endpoint in the host name or, as proxies take it, in
// the parameter address.
func (d *Door) serveSocket(w http.ResponseWriter, r *http.Request) {
	select {
	case d.sockets <- struct{}{}:
		defer func() { <-d.sockets }()
	default:
		answer(w, http.StatusServiceUnavailable, map[string]string{"message": "too many WebSockets are open"})
		return
	}
	// Pages of others don't get to here.
	socket, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // It has told the client why.
	}
	host := r.URL.Query().Get("address")
	if host == "" {
		host = r.Host
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	conn := websocket.NetConn(context.WithoutCancel(r.Context()), socket, websocket.MessageBinary)
	<-d.gateway.Tunnel(conn, host, peer(r)) //nolint:contextcheck // The session ends with the socket, or the gateway.
}

// peer is the client's address.
func peer(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	return host
}
