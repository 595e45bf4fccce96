package emulator

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/jackc/pgx/v5/pgconn"
)

// sql sends a body to where SQL is served over HTTP, and gives the status and the answer.
func (s *served) sql(uri, body string, headers ...string) (int, string, http.Header) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/sql", strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Neon-Connection-String", uri)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.client.Do(request)
	if err != nil {
		s.t.Error(err)
		return 0, "", nil
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Error(err)
	}
	return response.StatusCode, string(text), response.Header
}

// What a shell sets for other databases, as the lines of Neon's console do, is nothing to the emulator's own.
//
//nolint:paralleltest // It changes the environment.
func TestServerless_environment(t *testing.T) {
	for name, value := range map[string]string{
		"PGCHANNELBINDING": "require", "PGREQUIREAUTH": "scram-sha-256", "PGTARGETSESSIONATTRS": "standby",
		"PGMINPROTOCOLVERSION": "3.2", "PGSSLMODE": "verify-full", "PGHOST": "db.example.com", "PGOPTIONS": "-c no=1",
		"PGUSER": "nobody", "PGPASSWORD": "none", "PGDATABASE": "none", "PGPORT": "1", "PGTZ": "Mars",
	} {
		t.Setenv(name, value)
	}
	s := serveDatabases(t)
	toSeed := startBy(t, nil, Config{Postgres: sharedPostgres(t)})
	if err := toSeed.e.SeedWorld(t.Context(), strings.NewReader(seeded)); err != nil {
		t.Error(err)
	}
	if status, got, _ := s.sql(s.mainURI(), `{"query":"SELECT 1 AS n"}`); status != http.StatusOK {
		t.Errorf("%d %s", status, got)
	}
}

func TestServerless_sql(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	for body, want := range map[string]string{
		`{"query":"SELECT 1 AS n, true AS b, 2.5::float8 AS f, 9::int8 AS i, '{\"b\":1,\"a\":2}'::json AS j, NULL AS z, 'NaN'::float4 AS x"}`:   `"rows":[{"n":1,"b":true,"f":2.5,"i":"9","j":{"b":1,"a":2},"z":null,"x":"NaN"}]`,
		`{"query":"SELECT '{{1,2},{3,NULL}}'::int[] AS a, '{}'::text[] AS e, ARRAY['x \"y', NULL, '<\\'] AS s"}`:                                `"rows":[{"a":[[1,2],[3,null]],"e":[],"s":["x \"y",null,"<\\"]}]`,
		`{"query":"SELECT $1::int + 1, $2, $3::jsonb, $4::text[], $5::bool","params":[41,"a\"b",{"k": 1},["x\"y",null],true],"arrayMode":true}`: `"rows":[[42,"a\"b",{"k": 1},["x\"y",null],true]]`,
		`{"query":"SELECT $1::int[]","params":[[1,[2]]],"arrayMode":true}`:                                                                      `malformed array literal`,
		`{"query":"SELECT 1 AS a","params":null}`:       `"fields":[{"name":"a","dataTypeID":23,"tableID":0,"columnID":0,"dataTypeSize":4,"dataTypeModifier":-1,"format":"text"}],"command":"SELECT","rowCount":1}`,
		`{"query":"CREATE TABLE t (x int UNIQUE)"}`:     `"command":"CREATE","rowCount":null}`,
		`{"query":"SELECT 1; SELECT 2"}`:                `{"code":"42601","column":null,`,
		`{"query":"SELECT x"}`:                          `"message":"column \"x\" does not exist","position":"8"`,
		`{"queries":[]}`:                                `{"results":[]}`,
		`{"query":null}`:                                `could not parse the HTTP request body`,
		`{"queries":[{"params":[1]}]}`:                  `could not parse the HTTP request body`,
		`{}`:                                            `could not parse the HTTP request body`,
		`{"query":`:                                     `could not parse the HTTP request body`,
		`{"query":"/* all */ COPY pg_class TO STDOUT"}`: `"message":"unexpected message from server"`,
		`{"queries":[{"query":"CREATE TEMP TABLE c (x int)"},{"query":"-- all\ncopy c from stdin"}]}`: `"message":"unexpected message from server"`,
		`{"query":"COPY pg_class TO '/stdout'"}`:                                                      `"code":"42501"`,
		`{"query":"SELECT repeat('x', 11000000)"}`:                                                    `response is too large (max is 10485760 bytes)`,
	} {
		if status, got, _ := s.sql(uri, body); !strings.Contains(got, want) || !json.Valid([]byte(got)) {
			t.Errorf("%s: %d %.300s\nwant %s", body, status, got, want)
		}
	}
	if _, got, _ := s.sql(uri, `{"query":"SELECT 1 AS n, '{1}'::int[] AS a"}`, "Neon-Raw-Text-Output", "true",
		"Neon-Array-Mode", "true"); !strings.Contains(got, `{"rowAsArray":true,"rows":[["1","{1}"]]`) {
		t.Errorf("raw: %s", got)
	}
	large := `{"query":"SELECT '` + strings.Repeat("x", 10<<20) + `'"}`
	if status, got, _ := s.sql(uri, large); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large request: %d %.100s", status, got)
	}
}

// Statements of one request are a transaction, of the kind that its headers ask for.
func TestServerless_transaction(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	status, got, header := s.sql(uri,
		`{"queries":[{"query":"SHOW transaction_isolation"},{"query":"SHOW transaction_read_only","arrayMode":true}]}`,
		"Neon-Batch-Isolation-Level", "Serializable", "Neon-Batch-Read-Only", "true", "Neon-Batch-Deferrable", "true")
	if status != http.StatusOK || !strings.Contains(got, `{"transaction_isolation":"serializable"}`) ||
		!strings.Contains(got, `["on"]`) ||
		header.Get("Neon-Batch-Isolation-Level") != "Serializable" || header.Get("Neon-Batch-Read-Only") != "true" {
		t.Errorf("%d %s %v", status, got, header)
	}
	status, got, _ = s.sql(uri, `{"queries":[{"query":"CREATE TABLE t (x int)"},{"query":"SELECT 1/0"}]}`)
	if status != http.StatusBadRequest || !strings.Contains(got, `"code":"22012"`) {
		t.Errorf("%d %s", status, got)
	}
	if _, got, _ := s.sql(uri, `{"query":"SELECT to_regclass('t') AS t"}`); !strings.Contains(got, `{"t":null}`) {
		t.Errorf("the transaction left %s", got)
	}
	if status, got, _ := s.sql(uri, `{"queries":[]}`, "Neon-Batch-Isolation-Level",
		"Chaos"); status != http.StatusBadRequest || !strings.Contains(got, "invalid isolation level") {
		t.Errorf("%d %s", status, got)
	}
}

// A session that somebody has used has nothing of theirs for the next.
func TestServerless_sessionsAreNew(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	for _, body := range []string{`SET statement_timeout = 1`, `CREATE TEMP TABLE secret AS SELECT 1`, `BEGIN`,
		`SELECT set_config('app.user', 'x', false)`} {
		s.sql(uri, `{"query":"`+body+`"}`)
	}
	const left = `SELECT current_setting('statement_timeout') || coalesce(to_regclass('secret')::text, '') || coalesce(current_setting('app.user', true), '') AS x`
	if _, got, _ := s.sql(uri, `{"query":"`+left+`"}`); !strings.Contains(got, `[{"x":"0"}]`) {
		t.Error(got)
	}
}

// Nobody gets in with less than a role's own password of that branch.
func TestServerless_whoGetsIn(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	id, other := s.branch(`"name":"other"`)
	s.must("POST", "{p}/branches/"+id+"/roles/neondb_owner/reset_password", "")
	s.clock.advance(time.Minute)
	here, err := url.Parse(uri)
	if err != nil {
		t.Fatal(err)
	}
	there, err := url.Parse(other)
	if err != nil {
		t.Fatal(err)
	}
	there.User = here.User
	const wrong = `"message":"password authentication failed for user '`
	for uri, want := range map[string]string{
		there.String():                                 wrong,
		other:                                          wrong,
		strings.Replace(uri, "@", "x@", 1):             wrong,
		strings.Replace(uri, "@", "@x", 1):             wrong,
		strings.Replace(uri, "//", "//x", 1):           wrong + "xneondb_owner'\"",
		strings.Replace(uri, "/neondb?", "/none?", 1):  `"message":"database \"none\" does not exist"`,
		strings.Replace(uri, "postgresql", "mysql", 1): "incorrect scheme",
		"":                           "invalid header: neon-connection-string",
		"postgres://u@h/d":           "required password",
		"postgres://u:p@h":           "missing database name",
		"postgres://:p@h/d":          "missing username",
		"postgres://u:p@localhost/d": "Endpoint ID is not specified",
	} {
		if status, got, _ := s.sql(uri, `{"query":"SELECT 1"}`); status != http.StatusBadRequest ||
			!strings.Contains(got, want) {
			t.Errorf("%s: %d %s, want %s", uri, status, got, want)
		}
	}
	// A session that is kept for who has had the password isn't for who has it no more.
	if status, got, _ := s.sql(uri, `{"query":"SELECT 1"}`); status != http.StatusOK {
		t.Fatal(got)
	}
	s.must("POST", "{p}/branches/"+s.e.FirstWorld().BranchID+"/roles/neondb_owner/reset_password", "")
	s.clock.advance(time.Minute)
	if status, got, _ := s.sql(uri, `{"query":"SELECT 1"}`); status != http.StatusBadRequest ||
		!strings.Contains(got, wrong) {
		t.Errorf("with the old password: %d %s", status, got)
	}
}

// No page of another site gets an answer, by either way.
func TestServerless_foreignPages(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	for _, headers := range [][]string{{"Origin", "https://example.com"}, {"Origin", "http://localhost:3000"},
		{"Sec-Fetch-Site", "cross-site"}} {
		if status, got, header := s.sql(uri, `{"query":"SELECT 1"}`, headers...); status != http.StatusForbidden ||
			header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%v: %d %s", headers, status, got)
		}
		header := http.Header{headers[0]: {headers[1]}}
		if socket, _, err := websocket.Dial(t.Context(), strings.Replace(s.url, "http", "ws", 1)+"/v2",
			&websocket.DialOptions{HTTPHeader: header}); err == nil {
			_ = socket.CloseNow()
			t.Errorf("%v opens a WebSocket", headers)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, s.url+"/sql", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := s.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	_ = response.Body.Close()
	if !strings.Contains(response.Header.Get("Access-Control-Allow-Headers"), "Neon-Connection-String") {
		t.Error(response.Header)
	}
}

// A compute that is suspended wakes, by either way.
func TestServerless_wakes(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	endpoint := s.e.FirstWorld().EndpointID
	byHTTP := func() error {
		if status, got, _ := s.sql(uri, `{"query":"SELECT 1"}`); status != http.StatusOK {
			return fmt.Errorf("%d %s", status, got)
		}
		return nil
	}
	for way, ask := range map[string]func() error{
		"HTTP": func() error {
			if err := byHTTP(); err != nil {
				return err
			}
			// The session that is kept of it is from before the suspension, whether that was noticed or not.
			s.must("POST", "{p}/endpoints/"+endpoint+"/suspend", "")
			s.clock.advance(time.Minute)
			return byHTTP()
		},
		"WebSocket": func() error {
			session, err := s.socket(uri, "/v1?address=")
			if err != nil {
				return err
			}
			return session.Close(t.Context())
		},
	} {
		s.must("POST", "{p}/endpoints/"+endpoint+"/suspend", "")
		s.clock.advance(time.Minute)
		s.want("{p}/endpoints/"+endpoint, "idle", "endpoint", "current_state")
		stop := s.letTimePass()
		if err := ask(); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		stop()
		s.want("{p}/endpoints/"+endpoint, "active", "endpoint", "current_state")
	}
}

// socket logs in inside a WebSocket.
func (s *served) socket(uri, path string) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig(uri)
	if err != nil {
		return nil, err
	}
	if config.TLSConfig != nil && !strings.Contains(path, "tls") {
		config.TLSConfig, config.Fallbacks, config.ChannelBinding = nil, nil, "disable"
	}
	config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
		options := &websocket.DialOptions{}
		address := strings.Replace(s.url, "http", "ws", 1) + path
		if strings.HasSuffix(path, "=") {
			address += config.Host + ":5432"
		} else {
			options.Host = config.Host
		}
		socket, response, err := websocket.Dial(ctx, address, options)
		if err != nil {
			return nil, fmt.Errorf("%v %w", response, err)
		}
		return websocket.NetConn(context.WithoutCancel(ctx), socket, websocket.MessageBinary), nil
	}
	return pgconn.ConnectConfig(s.t.Context(), config)
}

func TestServerless_sockets(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	for _, path := range []string{"/v2", "/v1?address=", "/v2?tls"} {
		session, err := s.socket(uri, path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		result := session.ExecParams(t.Context(), "SELECT current_user || repeat('x', 100000)", nil, nil, nil, nil).Read()
		if result.Err != nil || !strings.HasPrefix(string(result.Rows[0][0]), "neondb_ownerxxx") {
			t.Errorf("%s: %v", path, result.Err)
		}
		_ = session.Close(t.Context())
		if _, err := s.socket(strings.Replace(uri, "neondb_owner:", "neondb_owner:x", 1), path); err == nil ||
			!strings.Contains(err.Error(), "password authentication failed for user") {
			t.Errorf("%s with a wrong password: %v", path, err)
		}
		if _, err := s.socket(strings.Replace(uri, "@", "@x", 1), path); err == nil ||
			!strings.Contains(err.Error(), "endpoint could not be found") {
			t.Errorf("%s to nowhere: %v", path, err)
		}
	}
	// An address leads to an endpoint, and never to another machine.
	if _, err := s.socket(uri, "/v1?address=169.254.169.254:80&x="); err == nil ||
		!strings.Contains(err.Error(), "Endpoint ID is not specified") {
		t.Errorf("by an address of its own: %v", err)
	}
}

// Two hundred clients at once are all answered, and leave no more sessions than an endpoint may have.
func TestServerless_manyClients(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("this takes its time")
	}
	s := serveDatabases(t)
	uri := s.mainURI()
	s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	defer s.client.CloseIdleConnections()
	var clients sync.WaitGroup
	for range 200 {
		clients.Go(func() {
			for range 5 {
				if status, got, _ := s.sql(uri, `{"query":"SELECT repeat('x', 1000) AS x"}`); status != http.StatusOK {
					t.Errorf("%d %s", status, got)
					return
				}
			}
		})
	}
	clients.Wait()
	if sessions := s.e.databases.Gateway().Sessions(); sessions > 40 {
		t.Errorf("%d sessions are open", sessions)
	}
}

// A connection string for any driver leads to its endpoint by the option, with TLS and without.
func TestDatabases_forAnyDriver(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	lines := s.control("GET", "/environment", "").text
	_, rest, _ := strings.Cut(lines, "export DATABASE_URL=")
	uri, _, _ := strings.Cut(rest, "\n")
	_, child := s.branch(`"name":"child"`)
	if !strings.Contains(uri, "@localhost:") || !strings.Contains(uri, "/neondb?options=endpoint%3Dep-") {
		t.Fatalf("DATABASE_URL is %q", uri)
	}
	s.expect(t, uri, "here", "CREATE TABLE t AS SELECT 'here' AS x", "SELECT x FROM t")
	s.expectRefusal(t, child, "does not exist", "SELECT x FROM t")
	for _, mode := range []string{"&sslmode=disable", "&sslmode=require&channel_binding=require"} {
		s.expect(t, uri+mode, "here", "SELECT x FROM t")
		s.expectRefusal(t, strings.Replace(uri+mode, "neondb_owner:", "neondb_owner:x", 1), "password authentication failed")
	}
	plain := &served{start(t, Config{Conflicts: ConflictsNone, Postgres: sharedPostgres(t), ConnectHost: "127.0.0.1"})}
	given := plain.mainURI()
	if !strings.Contains(given, "@127.0.0.1:") {
		t.Errorf("the API gives %s", given)
	}
	plain.expect(t, given, "neondb", "SELECT current_database()::text")
	pooled := plain.must("GET", "{p}/connection_uri?pooled=true&database_name=neondb&role_name=neondb_owner",
		"").str("uri")
	plain.expect(t, pooled, "neondb", "SELECT current_database()::text")
}
