package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
)

// sqlQueries is how many are asked one after another.
const sqlQueries = 1000

// sqlBenchmark asks the emulator's databases in each way that applications do.
func sqlBenchmark() benchmark {
	return benchmark{
		rows: []row{
			{measured: "1,000 queries over HTTP to the emulator", bound: "by pgx", most: 6},
			{measured: "1,000 queries over one WebSocket", bound: "by pgx", most: 6},
			{measured: "memory in use after 10,000 queries over HTTP", bound: "after 1,000", most: 1.25},
		},
		measure: measureSQL,
	}
}

func measureSQL(ctx context.Context, _ *bench) (results []result, err error) {
	programs, err := postgres.FindPrograms(ctx)
	if err != nil {
		return nil, err
	}
	installation, err := postgres.Prepare(ctx, programs)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, installation.Close()) }()
	p, err := startPlatform(emulator.Config{Postgres: installation})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	uri, err := p.databaseURL(ctx)
	if err != nil {
		return nil, err
	}
	direct, err := pgconn.Connect(ctx, uri)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, direct.Close(ctx)) }()
	socket, err := p.socket(ctx, uri)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, socket.Close(ctx)) }()
	overHTTP := func() error { return p.askOverHTTP(ctx, uri) }
	var took [3][]seconds
	for range 3 {
		for i, ask := range []func() error{func() error { return askBy(ctx, direct) }, overHTTP, func() error { return askBy(ctx, socket) }} {
			one, err := timed(sqlQueries, ask)
			if err != nil {
				return nil, err
			}
			took[i] = append(took[i], one)
		}
	}
	before := inUse()
	if _, err := timed(9*sqlQueries, overHTTP); err != nil {
		return nil, err
	}
	return []result{
		compare(fastest(took[1]), fastest(took[0]), 0), compare(fastest(took[2]), fastest(took[0]), 0), compare(inUse(), before, 0),
	}, nil
}

// timed does something many times.
func timed(times int, do func() error) (seconds, error) {
	began := time.Now()
	for range times {
		if err := do(); err != nil {
			return 0, err
		}
	}
	return seconds(time.Since(began)), nil
}

func inUse() memory {
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	return memory(now.HeapAlloc) //nolint:gosec // No machine has as much.
}

// databaseURL is the connection string for any driver of the first database.
func (p *platform) databaseURL(ctx context.Context) (string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.address+"/_emulator/environment", http.NoBody)
	if err != nil {
		return "", err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // It was read.
	lines, err := io.ReadAll(response.Body)
	_, rest, _ := strings.Cut(string(lines), "export DATABASE_URL=")
	uri, _, _ := strings.Cut(rest, "\n")
	return uri, err
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

const benchQuery = "SELECT n, repeat('x', 100) AS text FROM generate_series(1, 10) AS n"

func askBy(ctx context.Context, conn *pgconn.PgConn) error {
	return conn.ExecParams(ctx, benchQuery, nil, nil, nil, nil).Read().Err
}

func (p *platform) askOverHTTP(ctx context.Context, uri string) error {
	body, err := json.Marshal(map[string]string{"query": benchQuery})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.address+"/sql", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	request.Header.Set("Neon-Connection-String", uri)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // It was read.
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %s", response.StatusCode, text)
	}
	return err
}
