package client

import (
	"errors"
	"fmt"
	"time"
)

// identity says how the effect of a write is recognized. It alone decides what happens after a lost answer: how long to
// look for the effect, whether to send the write again, whether a conflict may be with its own effect, and which other
// writes wait for a late effect. It is one of those below, or keyIdentity for API keys. A write without an identity
// isn't sent.
type identity struct {
	// looks are the pauses before each search for the effect.
	looks []time.Duration
	// repeats is true of a write that is sent again where it had no effect.
	repeats bool
	// isMarked is true where the effect bears a mark of ours, so that a conflict may be found to be with that.
	isMarked bool
	// path says what has only a name, which another object may have later; empty for anything else.
	path string
	// undoes is the path of what a POST changes that isn't refused where it comes late: it undoes what came after it
	// under that path. Empty for any other POST.
	undoes string
	// varies is true of such a POST whose effect is another each time: the same one again undoes the second, too.
	varies bool
	// onlyReads is true of what changes nothing: it leaves lists as they are, and a client that only reads sends it.
	onlyReads bool
}

// settlingLooks are the pauses before each search for an effect that may not come twice, or must not come later.
var settlingLooks = []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second}

var (
	// harmless is a write of which a second one changes nothing, or is refused.
	harmless = identity{looks: settlingLooks[:1], repeats: true}
	// reading is a request that changes nothing, though its method doesn't say so.
	reading = identity{looks: settlingLooks[:1], repeats: true, onlyReads: true}
	// unrepeatable is a write of which a second one has a second effect. The effect is recognized by being new.
	unrepeatable = identity{looks: settlingLooks}
)

// named is a harmless write to what has a name.
func named(path string) identity {
	return identity{looks: settlingLooks[:1], repeats: true, path: path}
}

// switched is a write by POST that gives what has the path one of several states.
func switched(path string) identity {
	by := named(path)
	by.undoes = path
	return by
}

// replacing is an unrepeatable write by POST, after which what has the path isn't what it was before.
func replacing(path string) identity {
	return identity{looks: settlingLooks, undoes: path, varies: true}
}

// removal is the deletion of what has a name. A late one would delete what has the name by then.
func removal(path string) identity { return named(path).slowly() }

// marked is the creation of what bears a mark of ours. It is sent again if Neon would refuse a second one of its name.
func marked(isUnique bool) identity {
	if isUnique {
		return identity{looks: settlingLooks[:1], repeats: true, isMarked: true}
	}
	return identity{looks: settlingLooks, isMarked: true}
}

// slowly has the effect looked for as long as that of an unrepeatable write.
func (i identity) slowly() identity {
	i.looks = settlingLooks
	return i
}

// errNoIdentity is a write that doesn't say what it makes.
var errNoIdentity = errors.New("the write doesn't say how its effect is recognized")

// ReadOnlyError is a request that a client which only reads has refused to send, since it would change something.
type ReadOnlyError struct {
	Method string
	Path   string
	// Subject is what it would have created or changed, in words.
	Subject string
	// By is who asked for a client that only reads (see Config.ReadOnly).
	By string
}

func (e *ReadOnlyError) Error() string {
	what := e.Method + " " + e.Path
	if e.Subject != "" {
		what += ", which is about " + e.Subject + ","
	}
	return what + " would change something, and was not sent: " + e.By + " allows only what reads"
}

// mayWrite lets no write pass which doesn't say how its effect is recognized, and by a client that only reads none that
// isn't known to change nothing. An upload ends here too: the address that it needs is a write's.
func (c *Client) mayWrite(request call) error {
	switch {
	case request.by.looks == nil:
		return fmt.Errorf("%s %s: %w", request.method, request.route, errNoIdentity)
	case c.readOnly != "" && !request.by.onlyReads:
		return &ReadOnlyError{Method: request.method, Path: request.shownPath(), Subject: request.subject, By: c.readOnly}
	}
	return nil
}
