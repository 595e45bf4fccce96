package client

import (
	"context"
	"sync"
)

// lines are first come, first served, and one for each key. The zero value is ready.
type lines struct{ turns sync.Map }

// turn is a channel with a place for the one whose turn it is. Those who wait get it in the order in which they came.
func (l *lines) turn(key string) chan struct{} {
	turn, _ := l.turns.LoadOrStore(key, make(chan struct{}, 1))
	return turn.(chan struct{}) //nolint:forcetypeassert // Nothing else is stored.
}

// enter returns when the last in line has its turn, or with the context's error. Until leave, nobody else's comes.
func (l *lines) enter(ctx context.Context, key string) (leave func(), wasFirst bool, err error) {
	turn := l.turn(key)
	leave = func() { <-turn }
	select {
	case turn <- struct{}{}:
		return leave, true, nil
	default:
	}
	select {
	case turn <- struct{}{}:
		return leave, false, nil
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

// has reports whether anybody stands in a line.
func (l *lines) has(key string) bool { return len(l.turn(key)) > 0 }
