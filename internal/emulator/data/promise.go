package data

import "context"

// promise is what is being created, once for all who wait for it.
type promise[T any] struct {
	resolved chan struct{}
	value    T
	err      error
}

func newPromise[T any]() *promise[T] { return &promise[T]{resolved: make(chan struct{})} }

// resolve ends the waiting. It is called once.
func (p *promise[T]) resolve(value T, err error) {
	p.value, p.err = value, err
	close(p.resolved)
}

func (p *promise[T]) wait(ctx context.Context) (T, error) {
	select {
	case <-p.resolved:
		return p.value, p.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

func (p *promise[T]) isResolved() bool {
	select {
	case <-p.resolved:
		return true
	default:
		return false
	}
}

// ready reports whether the value is there, and failed whether there will be none.
func (p *promise[T]) ready() bool  { return p.isResolved() && p.err == nil }
func (p *promise[T]) failed() bool { return p.isResolved() && p.err != nil }
