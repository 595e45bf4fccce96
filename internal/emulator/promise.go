package emulator

import "context"

// promise is what is being created, once for all who wait for it.
type promise[T any] struct {
	kept  chan struct{}
	value T
	err   error
}

func newPromise[T any]() *promise[T] { return &promise[T]{kept: make(chan struct{})} }

// keep ends the waiting. It is called once.
func (p *promise[T]) keep(value T, err error) {
	p.value, p.err = value, err
	close(p.kept)
}

func (p *promise[T]) wait(ctx context.Context) (T, error) {
	select {
	case <-p.kept:
		return p.value, p.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// ready reports whether the value is there.
func (p *promise[T]) ready() bool {
	select {
	case <-p.kept:
		return p.err == nil
	default:
		return false
	}
}

// broken reports whether there will be no value.
func (p *promise[T]) broken() bool {
	select {
	case <-p.kept:
		return p.err != nil
	default:
		return false
	}
}
