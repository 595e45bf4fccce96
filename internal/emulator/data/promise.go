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

// ready reports whether the value is there.
func (p *promise[T]) ready() bool {
	select {
	case <-p.resolved:
		return p.err == nil
	default:
		return false
	}
}

// failed reports whether there will be no value.
func (p *promise[T]) failed() bool {
	select {
	case <-p.resolved:
		return p.err != nil
	default:
		return false
	}
}
