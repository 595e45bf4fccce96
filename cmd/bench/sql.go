package main

import (
	"context"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

const (
	benchQuery = "SELECT n, repeat('x', 100) AS text FROM generate_series(1, 10) AS n"
	// sqlQueries is how many are asked one after another.
	sqlQueries = 1000
)

// measureSQL asks the emulator's databases in each way that applications do.
func measureSQL(ctx context.Context, b *bench) ([]result, error) {
	p, uri, err := b.startDatabase(ctx)
	if err != nil {
		return nil, err
	}
	direct, err := pgconn.Connect(ctx, uri)
	if err != nil {
		return nil, err
	}
	b.cleanup = append(b.cleanup, func() error { return direct.Close(ctx) })
	socket, err := p.socket(ctx, uri)
	if err != nil {
		return nil, err
	}
	b.cleanup = append(b.cleanup, func() error { return socket.Close(ctx) })
	overHTTP := func() error {
		return p.call(ctx, http.MethodPost, "/sql", map[string]string{"query": benchQuery}, nil)
	}
	taken, err := takeTurns(3, manyTimes(askBy(ctx, direct)), manyTimes(overHTTP), manyTimes(askBy(ctx, socket)))
	if err != nil {
		return nil, err
	}
	before := inUse()
	if _, err := takeTurns(9, manyTimes(overHTTP)); err != nil {
		return nil, err
	}
	bound := slices.Min(taken[0])
	return []result{compare(slices.Min(taken[1]), bound, 0), compare(slices.Min(taken[2]), bound, 0), compare(inUse(), before, 0)}, nil
}

// manyTimes measures so many queries.
func manyTimes(ask func() error) func() (float64, error) {
	return func() (float64, error) {
		began := time.Now()
		for range sqlQueries {
			if err := ask(); err != nil {
				return 0, err
			}
		}
		return time.Since(began).Seconds(), nil
	}
}

func askBy(ctx context.Context, conn *pgconn.PgConn) func() error {
	return func() error { return conn.ExecParams(ctx, benchQuery, nil, nil, nil, nil).Read().Err }
}

// inUse is how many bytes of memory this process uses, the emulator's among them.
func inUse() float64 {
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	return float64(now.HeapAlloc)
}

// startDatabase starts a platform with PostgreSQL, and returns the connection string of its first
// database for any driver. Calls to the platform have it in place of a key.
func (b *bench) startDatabase(ctx context.Context) (p *platform, uri string, err error) {
	programs, err := postgres.FindPrograms(ctx)
	if err != nil {
		return nil, "", err
	}
	installation, err := postgres.Prepare(ctx, programs)
	if err != nil {
		return nil, "", err
	}
	b.cleanup = append(b.cleanup, installation.Close)
	if p, err = b.startPlatform(emulator.Config{Postgres: installation}); err != nil {
		return nil, "", err
	}
	var connection struct {
		URI string `json:"uri_for_any_driver"`
	}
	path := strings.Join([]string{"/_emulator/connections", p.world.EndpointID, p.world.RoleName, p.world.DatabaseName}, "/")
	err = p.call(ctx, http.MethodGet, path, nil, &connection)
	p.headers = http.Header{"Neon-Connection-String": {connection.URI}}
	return p, connection.URI, err
}

// socket logs in inside a WebSocket.
func (p *platform) socket(ctx context.Context, uri string) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig(uri)
	if err != nil {
		return nil, err
	}
	config.TLSConfig, config.Fallbacks = nil, nil
	config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		socket, _, err := websocket.Dial(ctx, p.address+"/v2", nil) //nolint:bodyclose // The library takes care of it.
		if err != nil {
			return nil, err
		}
		return websocket.NetConn(context.WithoutCancel(ctx), socket, websocket.MessageBinary), nil
	}
	return pgconn.ConnectConfig(ctx, config)
}
