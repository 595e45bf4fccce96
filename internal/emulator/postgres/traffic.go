package postgres

import (
	"encoding/binary"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of what is remembered of a session.
const (
	longestKept   = 8 << 10
	mostPasswords = 16
	chunkSize     = 32 << 10
)

// messages follows the messages of one side of a session, which pass by in chunks of any size.
type messages struct {
	// kept are the kinds of which a body is kept, as far as longestKept.
	kept string
	// passed is called once a message of these kinds has passed.
	passed func(kind byte, body []byte)

	header [5]byte
	// have is how much of the header has passed, left how much of the body hasn't.
	have, left int
	body       []byte
}

func (m *messages) pass(chunk []byte) {
	for len(chunk) > 0 {
		if m.have < len(m.header) {
			n := copy(m.header[m.have:], chunk)
			m.have, chunk = m.have+n, chunk[n:]
			if m.have < len(m.header) {
				return
			}
			m.left, m.body = max(0, int(binary.BigEndian.Uint32(m.header[1:]))-4), m.body[:0]
		}
		n := min(m.left, len(chunk))
		isKept := strings.IndexByte(m.kept, m.header[0]) >= 0
		if isKept {
			m.body = append(m.body, chunk[:min(n, longestKept-len(m.body))]...)
		}
		m.left, chunk = m.left-n, chunk[n:]
		if m.left == 0 {
			m.have = 0
			if isKept {
				m.passed(m.header[0], m.body)
			}
		}
	}
}

// traffic is what is known of a session by what passes.
type traffic struct {
	now func() time.Time
	// active is when a statement has ended last, in nanoseconds; busy says that one runs, or a
	// transaction.
	active atomic.Int64
	busy   atomic.Bool
	// touched is set with each end of a statement.
	touched *atomic.Bool

	mu        sync.Mutex
	passwords []string
}

// passwordSaid is where a statement sets a password.
var passwordSaid = regexp.MustCompile(`(?is)\bpassword\s+(?:'((?:[^']|'')*)'|\$\$(.*?)\$\$)`)

// fromClient passes on what the client says, and remembers passwords that its statements set:
// PostgreSQL keeps none that could be told again.
func (t *traffic) fromClient(server io.Writer, client io.Reader) {
	said := &messages{kept: "QP", passed: func(_ byte, body []byte) {
		for _, found := range passwordSaid.FindAllSubmatch(body, mostPasswords) {
			t.mu.Lock()
			t.passwords = append(t.passwords, strings.ReplaceAll(string(found[1])+string(found[2]), "''", "'"))
			t.passwords = t.passwords[max(0, len(t.passwords)-mostPasswords):]
			t.mu.Unlock()
		}
	}}
	transfer(server, client, func(chunk []byte) {
		t.busy.Store(true)
		said.pass(chunk)
	})
}

// fromServer passes on what the server says. Before the client hears that a statement has ended
// which may have changed roles or databases, changed is called.
func (t *traffic) fromServer(client io.Writer, server io.Reader, changed func(passwords []string)) {
	mayHaveChanged, settled := false, false
	said := &messages{kept: "CZ", passed: func(kind byte, body []byte) {
		switch {
		case kind == 'C':
			mayHaveChanged = mayHaveChanged || changesMore(string(body))
		case len(body) > 0 && body[0] == 'I':
			settled = true
		}
	}}
	transfer(client, server, func(chunk []byte) {
		said.pass(chunk)
		if !settled {
			return
		}
		if mayHaveChanged {
			t.mu.Lock()
			passwords := slices.Clone(t.passwords)
			t.mu.Unlock()
			changed(passwords)
		}
		mayHaveChanged, settled = false, false
		t.touched.Store(true)
		t.active.Store(t.now().UnixNano())
		t.busy.Store(false)
	})
}

// changesMore says by the tag of a statement whether it may have changed what belongs to more than
// one database.
func changesMore(tag string) bool {
	tag = strings.TrimRight(tag, "\x00")
	return tag == "DO" || tag == "CALL" || strings.Contains(tag, " ROLE") || strings.Contains(tag, " DATABASE")
}

// transfer copies until one side has nothing more to say. Each chunk is looked at before it goes on.
func transfer(to io.Writer, from io.Reader, look func(chunk []byte)) {
	buffer := make([]byte, chunkSize)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			look(buffer[:n])
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
