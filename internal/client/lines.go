package client

import (
	"context"
	"slices"
	"sync"
)

// lines are first come, first served, and one for each key. The zero value is ready.
type lines struct {
	mu sync.Mutex
	// waiting holds a channel for each who stands in a line, closed when the turn has come.
	waiting map[string][]chan struct{}
}

// enter returns when the last in line has its turn, or with the context's error. Until leave, nobody else's comes.
func (l *lines) enter(ctx context.Context, key string) (leave func(), wasFirst bool, err error) {
	turn := make(chan struct{})
	l.mu.Lock()
	if l.waiting == nil {
		l.waiting = map[string][]chan struct{}{}
	}
	l.waiting[key] = append(l.waiting[key], turn)
	if wasFirst = len(l.waiting[key]) == 1; wasFirst {
		close(turn)
	}
	l.mu.Unlock()
	if err := await(ctx, turn); err != nil {
		l.leave(key, turn)
		return nil, false, err
	}
	return func() { l.leave(key, turn) }, wasFirst, nil
}

// leave passes the turn on, if it had come.
func (l *lines) leave(key string, turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	place := slices.Index(l.waiting[key], turn)
	line := slices.Delete(l.waiting[key], place, place+1)
	if len(line) == 0 {
		delete(l.waiting, key)
		return
	}
	l.waiting[key] = line
	if place == 0 {
		close(line[0])
	}
}

// has reports whether anybody stands in a line.
func (l *lines) has(key string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting[key] != nil
}
