package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
)

// keyCreations remembers the keys that this client made, and lets only one key
// of a name and scope be made at a time.
type keyCreations struct {
	mu    sync.Mutex
	names map[keyName]chan struct{}
	made  map[int64]bool
}

type keyName struct {
	scope APIKeyScope
	name  string
}

func newKeyCreations() keyCreations {
	return keyCreations{names: map[keyName]chan struct{}{}, made: map[int64]bool{}}
}

// begin waits for its turn to make a key of that name.
func (k *keyCreations) begin(ctx context.Context, scope APIKeyScope, name string) (done func(), err error) {
	k.mu.Lock()
	turn, ok := k.names[keyName{scope, name}]
	if !ok {
		turn = make(chan struct{}, 1)
		k.names[keyName{scope, name}] = turn
	}
	k.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, &EndedError{Method: http.MethodPost, Path: controlAPI.prefix() + scope.call(http.MethodPost).path(), Err: ctx.Err()}
	}
}

func (k *keyCreations) note(id int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.made[id] = true
}

func (k *keyCreations) isOurs(id int64) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.made[id]
}

// keyCreation makes one key. A key whose answer was lost can only be told by
// its name and scope, by its absence from the list before, and by never having
// been used; where that fits several keys, none is touched and all are named.
type keyCreation struct {
	client *Client
	scope  APIKeyScope
	name   string
	// before are the keys that were there before; nil where they couldn't be
	// listed.
	before map[int64]APIKey
}

func (k *keyCreation) run(ctx context.Context) (*CreatedAPIKey, error) {
	if err := k.lookBefore(ctx); err != nil {
		return nil, err
	}
	for again := 0; ; again++ {
		created, err := k.client.createAPIKey(ctx, k.scope, k.name)
		var lost *AmbiguousError
		switch {
		case err == nil:
			k.client.keys.note(created.ID)
			return k.finish(ctx, created, again)
		case !errors.As(err, &lost):
			return nil, err
		case ctx.Err() != nil:
			return nil, err
		}
		lost.Repeats = again
		if lost.Look = k.revokeLost(ctx, len(settlingLooks)); lost.Look != nil || again >= k.client.maxRetries {
			return nil, err
		}
	}
}

// lookBefore lists the keys that exist. Where the caller may make keys but not
// list them, the creation goes on without.
func (k *keyCreation) lookBefore(ctx context.Context) error {
	keys, err := k.client.sharedKeys(ctx, k.scope)
	if HasStatus(err, http.StatusNotFound) || HasStatus(err, http.StatusForbidden) {
		return nil
	}
	if err != nil {
		return err
	}
	k.before = make(map[int64]APIKey, len(keys))
	for _, key := range keys {
		k.before[key.ID] = key
	}
	return nil
}

// finish looks once more for a key whose answer was lost: the platform may have
// made it after it was looked for.
func (k *keyCreation) finish(ctx context.Context, created *CreatedAPIKey, lostBefore int) (*CreatedAPIKey, error) {
	for _, key := range k.before {
		if k.isNamesake(key) {
			created.Namesakes = append(created.Namesakes, key)
		}
	}
	slices.SortFunc(created.Namesakes, func(a, b APIKey) int { return int(a.ID - b.ID) })
	if lostBefore == 0 {
		return created, nil
	}
	created.Lost = k.revokeLost(ctx, 1)
	return created, nil
}

// revokeLost finds the key that a lost answer was about, and revokes it. An
// error says what may still be there.
func (k *keyCreation) revokeLost(ctx context.Context, looks int) error {
	if k.before == nil {
		return errors.New("the keys could not be listed before, so it can't be told whether one was made; look for it in the console")
	}
	orphans, err := lookFor(ctx, settlingLooks[:looks], func() (*[]APIKey, error) {
		keys, err := k.client.APIKeys(ctx, k.scope)
		if err != nil {
			return nil, err
		}
		orphans := slices.DeleteFunc(keys, func(key APIKey) bool {
			_, known := k.before[key.ID]
			return known || !k.mayBeOurs(key)
		})
		if len(orphans) == 0 {
			return nil, nil
		}
		return &orphans, nil
	})
	switch {
	case err != nil:
		return err
	case orphans == nil:
		return nil
	case len(*orphans) > 1:
		return fmt.Errorf("several keys of that name were made meanwhile and none was used yet, so it can't be told which one this run made; "+
			"revoke those that nobody needs:%s", k.client.DescribeAPIKeys(k.scope, *orphans))
	}
	orphan := (*orphans)[0]
	if _, err := k.client.RevokeAPIKey(ctx, k.scope, orphan.ID); err != nil && !IsNotFound(err) {
		return fmt.Errorf("API key %d was made, its token was lost with the answer, and it could not be revoked (%w); revoke it:%s",
			orphan.ID, err, k.client.DescribeAPIKeys(k.scope, *orphans))
	}
	return nil
}

// mayBeOurs tells whether a key is like ours and was never used, so that it may
// be ours.
func (k *keyCreation) mayBeOurs(key APIKey) bool {
	return k.isNamesake(key) && key.LastUsedAt == nil
}

// isNamesake tells whether a key is of our name and scope, live, and not one that
// this client made.
func (k *keyCreation) isNamesake(key APIKey) bool {
	return key.Name == k.name && key.ProjectID == k.scope.ProjectID && !key.Revoked && !k.client.keys.isOurs(key.ID)
}
