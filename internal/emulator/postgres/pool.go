package postgres

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Bounds of the sessions that a pool has.
const (
	// mostLent is how many an endpoint has at once; PostgreSQL serves about a hundred. Others wait.
	mostLent = 40
	// idleLife is how long one is kept for the next who logs in in the same way.
	idleLife = 5 * time.Second
)

// ErrNoEndpoint is a directory's answer where there is no such endpoint.
var ErrNoEndpoint = errors.New("The requested endpoint could not be found, or you don't have access to it." + //nolint:staticcheck // It is what the platform's proxy says.
	" Please check the provided ID and try again.")

// Credentials are what somebody logs in with who has no connection of their own.
type Credentials struct {
	Host, Role, Password, Database string
	// Options and Application are parameters of the session, empty for none.
	Options, Application string
	// Address is the client's.
	Address string
}

// Pool lends sessions through a gateway, each to one borrower at a time.
type Pool struct {
	gateway *Gateway

	mu    sync.Mutex
	idle  map[Credentials][]*lent
	slots map[string]chan struct{}
}

// lent is a session of a pool.
type lent struct {
	*pgconn.PgConn

	// client is the session's for the gateway.
	client net.Conn
	expiry *time.Timer
}

// NewPool makes a pool of sessions through a gateway, which ends them when it is closed.
func NewPool(g *Gateway) *Pool {
	return &Pool{gateway: g, idle: map[Credentials][]*lent{}, slots: map[string]chan struct{}{}}
}

// Check refuses who wouldn't be let in.
func (p *Pool) Check(c Credentials) error {
	_, err := p.check(c)
	return err
}

func (p *Pool) check(c Credentials) (endpoint string, err error) {
	login, err := loginOf(c.Host, c.parameters())
	if err != nil {
		return "", err
	}
	login.Address = c.Address
	target, err := p.gateway.directory(login)
	if errors.Is(err, ErrNoEndpoint) { // Whether there is one isn't told here.
		return "", wrongPassword(c.Role)
	}
	if err == nil {
		err = target.admit(login.Role, c.Password)
	}
	return login.Endpoint, err
}

func (c Credentials) parameters() map[string]string {
	all := map[string]string{"user": c.Role, "database": c.Database}
	for name, value := range map[string]string{"options": c.Options, "application_name": c.Application} {
		if value != "" {
			all[name] = value
		}
	}
	return all
}

// Lend lends a session without a trace of earlier borrowers to who has checked that they are let in. It is as good as
// new unless it is given back in a transaction, or closed.
func (p *Pool) Lend(ctx context.Context, c Credentials, use func(*pgconn.PgConn) error) error {
	endpoint, err := p.check(c)
	if err != nil {
		return err
	}
	slot := p.slot(endpoint)
	select {
	case slot <- struct{}{}:
		defer func() { <-slot }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	session, err := p.session(ctx, c)
	if err != nil {
		return err
	}
	defer p.giveBack(c, session) //nolint:contextcheck // It outlives its borrower.
	return use(session.PgConn)
}

func (p *Pool) slot(endpoint string) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	slot := p.slots[endpoint]
	if slot == nil {
		slot = make(chan struct{}, mostLent)
		p.slots[endpoint] = slot
	}
	return slot
}

// session is one that was given back and still works, or else a new one.
func (p *Pool) session(ctx context.Context, c Credentials) (*lent, error) {
	for {
		s := p.take(c)
		if s == nil {
			return p.connect(ctx, c)
		}
		if !p.gateway.isOver(s.client) { // The next sweep would end it in the middle of a statement.
			if _, err := s.Exec(ctx, "DISCARD ALL").ReadAll(); err == nil {
				return s, nil
			}
		}
		p.end(s) //nolint:contextcheck // Its own end is waited for, whatever becomes of the borrower.
	}
}

func (p *Pool) take(c Credentials) *lent {
	p.mu.Lock()
	defer p.mu.Unlock()
	for all := p.idle[c]; len(all) > 0; all = p.idle[c] {
		s := all[len(all)-1]
		p.remove(c, s)
		if s.expiry.Stop() {
			return s
		}
	}
	return nil
}

// remove forgets an idle session. The caller holds the lock.
func (p *Pool) remove(c Credentials, gone *lent) (found bool) {
	at := slices.Index(p.idle[c], gone)
	if at < 0 {
		return false
	}
	if p.idle[c] = slices.Delete(p.idle[c], at, at+1); len(p.idle[c]) == 0 {
		delete(p.idle, c)
	}
	return true
}

func (p *Pool) giveBack(c Credentials, s *lent) {
	if s.IsClosed() || s.TxStatus() != 'I' {
		p.end(s)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle[c] = append(p.idle[c], s)
	s.expiry = time.AfterFunc(idleLife, func() {
		p.mu.Lock()
		found := p.remove(c, s)
		p.mu.Unlock()
		if found {
			p.end(s)
		}
	})
}

func (*Pool) end(s *lent) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.Close(ctx) // Nobody needs it any more.
}

// connect logs in through the gateway, as everybody does.
func (p *Pool) connect(ctx context.Context, c Credentials) (*lent, error) {
	config, err := ownConfig(c.Role, c.Database)
	if err != nil {
		return nil, err
	}
	config.Password, config.RuntimeParams = c.Password, c.parameters()
	delete(config.RuntimeParams, "user")
	delete(config.RuntimeParams, "database")
	var client net.Conn
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		client = theirs
		p.gateway.Tunnel(theirs, c.Host, c.Address) //nolint:contextcheck // The session outlives its first borrower.
		return ours, nil
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	return &lent{PgConn: conn, client: client}, nil
}
