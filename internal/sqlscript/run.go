package sqlscript

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// connectPatience is how long a database may take until it answers: the emulator's starts
	// a real server, which takes more than a minute on a machine that is busy with others.
	connectPatience = 5 * time.Minute
	connectInterval = time.Second
	// longestShown is how much of a statement an error shows.
	longestShown = 300
	// notInTransaction is what PostgreSQL refuses with what can't be undone.
	notInTransaction = "25001"
)

// StatementError is a statement that the database refused.
type StatementError struct {
	Path      string
	Statement Statement
	// Applied says that the statements before it have taken effect.
	Applied bool
	Err     error
}

// Error says where the statement is, what it is, and what PostgreSQL said.
func (e *StatementError) Error() string {
	shown := e.Statement.Text
	if len(shown) > longestShown {
		shown = strings.ToValidUTF8(shown[:longestShown], "") + " ..."
	}
	text := fmt.Sprintf("%s, line %d: ", e.Path, e.line())
	var refusal *pgconn.PgError
	switch {
	case errors.Is(e.Err, context.DeadlineExceeded):
		text += "the statement took too long."
	case errors.As(e.Err, &refusal):
		text += "PostgreSQL refused the statement: " + said(e.Err)
	default:
		text += "the connection to PostgreSQL was lost: " + said(e.Err)
	}
	if e.Applied {
		text += "\n\nThe statements before it have taken effect, as the script can't run in one transaction."
	} else {
		text += "\n\nNo statement of the script has taken effect."
	}
	return text + "\n\n  " + strings.ReplaceAll(shown, "\n", "\n  ")
}

// Unwrap returns what the database said.
func (e *StatementError) Unwrap() error { return e.Err }

// placeInData is how PostgreSQL says which line of a COPY's data it refused.
var placeInData = regexp.MustCompile(`^COPY [^\n]*, line (\d+)`)

// line is that of the statement, or where PostgreSQL says more exactly, of the place
// in it or in its data.
func (e *StatementError) line() int {
	var refusal *pgconn.PgError
	if !errors.As(e.Err, &refusal) {
		return e.Statement.Line
	}
	if place := placeInData.FindStringSubmatch(refusal.Where); place != nil && e.Statement.Data != nil {
		number, _ := strconv.Atoi(place[1]) // The pattern has digits alone.
		return e.Statement.Data.Line + number - 1
	}
	if refusal.Position < 1 {
		return e.Statement.Line
	}
	// PostgreSQL counts characters, from 1.
	characters := []rune(e.Statement.Text)
	before := characters[:min(int(refusal.Position)-1, len(characters))]
	return e.Statement.Line + strings.Count(string(before), "\n")
}

func said(err error) string {
	var refusal *pgconn.PgError
	if !errors.As(err, &refusal) {
		return err.Error()
	}
	text := fmt.Sprintf("%s (SQLSTATE %s)", refusal.Message, refusal.Code)
	for _, more := range []string{refusal.Detail, refusal.Hint} {
		if more != "" {
			text += ". " + strings.TrimRight(more, ".")
		}
	}
	return text + "."
}

// Run runs the script on the database of a connection string: in one transaction,
// unless it has transactions of its own or statements that PostgreSQL lets run in
// none. It returns a StatementError for a statement that was refused. No error holds
// the password.
func (s *Script) Run(ctx context.Context, connectionString string) error {
	conn, err := Connect(ctx, connectionString)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // What was to be done is done.
	if s.ownTransaction() {
		return s.runEach(ctx, conn, true)
	}
	err = s.runAtOnce(ctx, conn)
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) && refusal.Code == notInTransaction {
		return s.runEach(ctx, conn, true)
	}
	return err
}

func (s *Script) runAtOnce(ctx context.Context, conn *pgx.Conn) error {
	transaction, err := conn.Begin(ctx)
	if err != nil {
		return err
	}
	if err := s.runEach(ctx, conn, false); err != nil {
		_ = transaction.Rollback(context.WithoutCancel(ctx)) // A connection that is broken has rolled back.
		return err
	}
	if err := transaction.Commit(ctx); err != nil {
		return fmt.Errorf("%s: PostgreSQL refused to commit: %s", s.Path, said(err))
	}
	return nil
}

func (s *Script) runEach(ctx context.Context, conn *pgx.Conn, apart bool) error {
	for i, statement := range s.Statements {
		if err := statement.run(ctx, conn.PgConn()); err != nil {
			return &StatementError{s.Path, statement, apart && i > 0, err}
		}
	}
	return nil
}

// run runs one statement a message, and not prepared: some can't be.
func (s Statement) run(ctx context.Context, conn *pgconn.PgConn) error {
	if s.Data != nil {
		_, err := conn.CopyFrom(ctx, strings.NewReader(s.Data.Text), s.Text)
		return err
	}
	_, err := conn.Exec(ctx, s.Text).ReadAll()
	return err
}

// Connect connects to a database, and waits up to five minutes for one that is
// still starting. Names that end in .localhost are loopback, whatever the resolver says
// (RFC 6761). No error holds the password.
func Connect(ctx context.Context, connectionString string) (*pgx.Conn, error) {
	config, err := configOf(connectionString)
	if err != nil {
		return nil, errors.New("the connection string of the database can't be read")
	}
	isEmulated := strings.HasSuffix(config.Host, ".localhost")
	if isEmulated {
		config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
	}
	ctx, cancel := context.WithTimeout(ctx, connectPatience)
	defer cancel()
	for {
		conn, err := pgx.ConnectConfig(ctx, config)
		var refusal *pgconn.PgError
		var network *net.OpError
		if err == nil || errors.As(err, &refusal) || !errors.As(err, &network) {
			return conn, err
		}
		// The emulator answers for a database while it starts.
		if isEmulated && errors.Is(err, syscall.ECONNREFUSED) {
			return nil, fmt.Errorf("%w. The emulator that has this database has ended, or serves no databases: start it where "+
				"the programs of a PostgreSQL server are found, as neon-emulator -h says of -postgres", err)
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(connectInterval):
		}
	}
}

// own is what a connection string means where it says nothing else. pgx would read it from the environment, which is
// about other servers. By which certificates servers are verified stays said there.
const own = "sslmode=prefer&sslcertmode=disable&sslsni=1&sslnegotiation=postgres&channel_binding=prefer&" +
	"require_auth=&target_session_attrs=any&connect_timeout=0&min_protocol_version=3.0&max_protocol_version=3.0"

// configOf is how to connect by a connection string alone.
func configOf(connectionString string) (*pgx.ConnConfig, error) {
	address, err := url.Parse(connectionString)
	if err != nil {
		return nil, err
	}
	whole, err := url.ParseQuery(own)
	if err != nil {
		return nil, err
	}
	said := address.Query()
	maps.Copy(whole, said)
	address.RawQuery = strings.ReplaceAll(whole.Encode(), "+", "%20")
	if address.Port() == "" {
		address.Host = net.JoinHostPort(address.Hostname(), "5432")
	}
	config, err := pgx.ParseConfig(address.String())
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(config.RuntimeParams, func(name, _ string) bool { return !said.Has(name) })
	return config, nil
}
