package serverless

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	// most is how many bytes a request and the rows of an answer may have.
	most = 10 << 20
	// bodyPatience is how long the body of a request may take to arrive.
	bodyPatience = 30 * time.Second
)

// statement is a query as a request has it.
type statement struct {
	Query     *string           `json:"query"`
	Params    []json.RawMessage `json:"params"`
	ArrayMode *bool             `json:"arrayMode"`
}

// payload is the body of a request: one statement, or several in a transaction.
type payload struct {
	statement

	Queries *[]statement `json:"queries"`
}

// wishes are what the headers of a request ask for.
type wishes struct {
	raw, arrays bool
	// begin begins the transaction of several statements.
	begin string
}

// serveQuery answers POST /sql.
func (d *Door) serveQuery(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*") // Pages of others don't get to here.
	text, err := d.query(w, r)
	if err != nil {
		refuse(w, err)
		return
	}
	wire.Send(w, http.StatusOK, text)
}

func (d *Door) query(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	who, err := credentials(r)
	if err != nil {
		return nil, err
	}
	wanted, err := wishesOf(r.Header)
	if err != nil {
		return nil, err
	}
	if err := d.pool.Check(who); err != nil { // Before a body is read that may be large.
		return nil, err
	}
	var body payload
	if err := readBody(w, r, &body); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = d.pool.Lend(r.Context(), who, func(session *pgconn.PgConn) error { //nolint:contextcheck // It has the request's.
		if body.Queries == nil {
			return run(r.Context(), session, body.statement, wanted, &out)
		}
		return runAll(r.Context(), session, *body.Queries, wanted, &out)
	})
	if err == nil && body.Queries != nil {
		for _, name := range []string{"Neon-Batch-Isolation-Level", "Neon-Batch-Read-Only", "Neon-Batch-Deferrable"} {
			if value := r.Header.Get(name); value != "" && value != "false" {
				w.Header().Set(name, value)
			}
		}
	}
	return out.Bytes(), err
}

// credentials reads the connection string of a request.
func credentials(r *http.Request) (who postgres.Credentials, err error) {
	text := r.Header.Get("Neon-Connection-String")
	u, err := url.Parse(text)
	switch {
	case text == "":
		return who, wire.BadRequest("invalid header: neon-connection-string")
	case err != nil:
		return who, wire.BadRequest("invalid connection string") // The reason could repeat a password.
	case u.Scheme != "postgres" && u.Scheme != "postgresql":
		return who, wire.BadRequest("incorrect scheme")
	case u.User.Username() == "":
		return who, wire.BadRequest("missing username")
	case strings.Trim(u.Path, "/") == "":
		return who, wire.BadRequest("missing database name")
	case r.Header.Get("Authorization") != "":
		return who, wire.BadRequest("the emulator lets nobody log in with a JWT: take a role's password")
	}
	password, given := u.User.Password()
	if !given {
		return who, wire.BadRequest("missing authentication credentials: required password")
	}
	parameters := u.Query()
	return postgres.Credentials{
		Host: u.Hostname(), Role: u.User.Username(), Password: password, Database: strings.TrimPrefix(u.Path, "/"),
		Options: parameters.Get("options"), Application: parameters.Get("application_name"), Address: peer(r),
	}, nil
}

// levels are those of isolation, by their names in the header.
var levels = map[string]string{
	"ReadUncommitted": "READ UNCOMMITTED", "ReadCommitted": "READ COMMITTED", "RepeatableRead": "REPEATABLE READ",
	"Serializable": "SERIALIZABLE",
}

func wishesOf(header http.Header) (wishes, error) {
	wanted := wishes{raw: header.Get("Neon-Raw-Text-Output") == "true", arrays: header.Get("Neon-Array-Mode") == "true"}
	var modes []string
	if name := header.Get("Neon-Batch-Isolation-Level"); name != "" {
		level, known := levels[name]
		if !known {
			return wanted, wire.BadRequest("invalid isolation level")
		}
		modes = append(modes, "ISOLATION LEVEL "+level)
	}
	if header.Get("Neon-Batch-Read-Only") == "true" {
		modes = append(modes, "READ ONLY")
	}
	if header.Get("Neon-Batch-Deferrable") == "true" {
		modes = append(modes, "DEFERRABLE")
	}
	wanted.begin = "START TRANSACTION " + strings.Join(modes, ", ")
	return wanted, nil
}

// readBody reads a body of whatever type it says it has: the driver names none.
func readBody(w http.ResponseWriter, r *http.Request, into *payload) error {
	connection := http.NewResponseController(w)
	_ = connection.SetReadDeadline(time.Now().Add(bodyPatience)) // Without a connection, as in tests, nothing is late.
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if _, isTooLarge := errors.AsType[*http.MaxBytesError](err); isTooLarge {
		return wire.Refuse(http.StatusRequestEntityTooLarge, "request is too large (max is %d bytes)", most)
	}
	if err != nil {
		return wire.BadRequest("could not read the HTTP request body")
	}
	_ = connection.SetReadDeadline(time.Time{})
	if err := json.Unmarshal(text, into); err != nil {
		return wire.BadRequest("could not parse the HTTP request body: %v", err)
	}
	all := []statement{into.statement}
	if into.Queries != nil {
		all = *into.Queries
	}
	if slices.ContainsFunc(all, func(s statement) bool { return s.Query == nil }) {
		return wire.BadRequest("could not parse the HTTP request body: a statement has no query")
	}
	return nil
}

// runAll runs statements in a transaction, all of them or none.
func runAll(ctx context.Context, session *pgconn.PgConn, all []statement, wanted wishes, out *bytes.Buffer) error {
	if _, err := session.Exec(ctx, wanted.begin).ReadAll(); err != nil {
		return err
	}
	out.WriteString(`{"results":[`)
	for i, one := range all {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := run(ctx, session, one, wanted, out); err != nil {
			_, _ = session.Exec(ctx, "ROLLBACK").ReadAll() // A session that can't isn't lent again.
			return err
		}
	}
	out.WriteString("]}")
	_, err := session.Exec(ctx, "COMMIT").ReadAll()
	return err
}

// copies is a COPY from or to the client, for which Neon's proxy has no place in its answers, and in which PostgreSQL
// would wait for the client's data forever.
var copies = regexp.MustCompile(`(?is)^(\s|--[^\n]*\n|/\*.*?\*/)*copy\b.*\b(from\s+stdin|to\s+stdout)\b`)

// run runs a statement, and writes its result.
func run(ctx context.Context, session *pgconn.PgConn, s statement, wanted wishes, out *bytes.Buffer) error {
	if copies.MatchString(*s.Query) {
		return wire.BadRequest("unexpected message from server")
	}
	values := make([][]byte, 0, len(s.Params))
	for _, param := range s.Params {
		value, err := parameter(param)
		if err != nil {
			return err
		}
		values = append(values, value)
	}
	if s.ArrayMode != nil {
		wanted.arrays = *s.ArrayMode
	}
	result := session.ExecParams(ctx, *s.Query, values, nil, nil, nil)
	if err := writeResult(out, result, wanted); err != nil {
		_ = session.Close(ctx) // The rest of the rows isn't wanted.
		return err
	}
	tag, err := result.Close()
	if err != nil {
		return err
	}
	writeTag(out, tag.String())
	return nil
}

// refuse tells the client of an error.
func refuse(w http.ResponseWriter, err error) {
	var (
		ours *wire.Error
		gate *postgres.RefusalError
		said *pgconn.PgError
	)
	switch {
	case errors.As(err, &ours):
		answer(w, ours.Status, failureOf(&pgconn.PgError{Message: ours.Message}))
	case errors.As(err, &gate): // Neon's proxy says no more of what it refuses itself.
		answer(w, http.StatusBadRequest, failureOf(&pgconn.PgError{Message: gate.Message}))
	case errors.As(err, &said):
		answer(w, http.StatusBadRequest, failureOf(said))
	case errors.Is(err, context.Canceled): // The client has gone.
	default:
		answer(w, http.StatusInternalServerError, failureOf(&pgconn.PgError{Message: err.Error()}))
	}
}

func answer(w http.ResponseWriter, status int, body any) { wire.Send(w, status, wire.Encode(body)) }
