package emulator

import (
	"cmp"
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// run handles a request, keeps what it changed before it is answered, and waits a little
// for work that goes on after it.
func (e *Emulator) run(r *http.Request, body []byte, handle handler, encodeError func(error) []byte) (int, []byte) {
	c := &call{Request: r, body: body}
	status, answer, err := e.changeAndKeep(c, handle)
	if err != nil {
		return wire.StatusOf(err), encodeError(err)
	}
	c.awaitWork()
	if c.finish != nil {
		said, err := c.finish(r.Context())
		if err != nil {
			return wire.StatusOf(err), encodeError(err)
		}
		answer = wire.Encode(said)
	}
	return status, answer
}

// changeAndKeep handles a request, and keeps what it changed.
func (e *Emulator) changeAndKeep(c *call, handle handler) (status int, answer []byte, err error) {
	e.lookFirst(c.Request, c.body)
	status, answer, version, err := e.change(c, handle)
	if err == nil {
		err = e.keep(version)
	}
	return status, answer, err
}

// change handles a request while nothing else happens in the world. The answer is
// encoded meanwhile too, as it refers to what others may change. The version is the
// world's after a change, and zero after a read.
func (e *Emulator) change(c *call, handle handler) (status int, answer []byte, version uint64, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	c.now = e.now()
	before := e.version
	e.expire(c.now)
	if e.version != before {
		version = e.version
	}
	said, err := handle(e, c)
	if err := cmp.Or(c.queryRefusal, err); err != nil {
		return 0, nil, 0, err
	}
	if said.body != nil {
		answer = wire.Encode(said.body)
	}
	if c.Method != http.MethodGet && c.Method != http.MethodHead {
		version = e.changedBy(c)
	}
	return said.status, answer, version, nil
}
