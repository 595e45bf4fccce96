package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// keyCreations remembers the keys that this client created, and allows one creation of a
// name and scope at a time.
type keyCreations struct {
	mu    sync.Mutex
	turns map[keyName]chan struct{}
	ours  sync.Map // the ids of those keys
}

type keyName struct {
	scope APIKeyScope
	name  string
}

// begin waits for its turn to create a key of that name.
func (k *keyCreations) begin(ctx context.Context, scope APIKeyScope, name string) (done func(), err error) {
	k.mu.Lock()
	turn, ok := k.turns[keyName{scope, name}]
	if !ok {
		turn = make(chan struct{}, 1)
		k.turns[keyName{scope, name}] = turn
	}
	k.mu.Unlock()
	select {
	case turn <- struct{}{}:
		return func() { <-turn }, nil
	case <-ctx.Done():
		return nil, scope.call(http.MethodPost).endedError(nil, ctx.Err())
	}
}

const (
	// keySettling is the pause before a key is looked for after a lost answer. By then,
	// other runs have used the keys that they created meanwhile, or have given that up.
	keySettling = firstUse + 2*clockTolerance
	// clockTolerance is how far a key's time and that of its request may be apart: both
	// are in whole seconds, by clocks of Neon's that may differ a little.
	clockTolerance = 2 * time.Second
)

// keyCreation creates one key. After a lost answer nothing on a key says that it is
// ours. It is if the list before the creation lacks it, if name, scope, creator and the
// time of the request match, and if it was never used. Where several keys match, the
// error names them, and all stay.
type keyCreation struct {
	client *Client
	scope  APIKeyScope
	name   string
	// before are the keys that existed before; nil where they couldn't be listed.
	before map[int64]APIKey
	// ahead is how far Neon's clock is ahead of ours.
	ahead time.Duration
	// lost are the attempts whose answers were lost.
	lost []timing
}

func (k *keyCreation) run(ctx context.Context) (*CreatedAPIKey, error) {
	if err := k.listBefore(ctx); err != nil {
		return nil, err
	}
	created, repeated, err := writeOnce(ctx, k.client, []time.Duration{keySettling},
		func() (*CreatedAPIKey, error) { return k.send(ctx) },
		func() (*CreatedAPIKey, error) { return nil, k.revokeLost(ctx) })
	var left error
	if repeated {
		left = k.cleanUp(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, left)
	}
	created.Namesakes, created.Lost = k.namesakesBefore(), left
	return created, nil
}

func (k *keyCreation) send(ctx context.Context) (*CreatedAPIKey, error) {
	var attempt timing
	created, err := k.client.createAPIKey(ctx, k.scope, k.name, &attempt)
	var lost *AmbiguousError
	switch {
	case err == nil:
		k.client.keys.ours.Store(created.ID, true)
		k.client.useOnce(ctx, k.scope, created.Key)
	case errors.As(err, &lost):
		k.lost = append(k.lost, attempt)
	}
	return created, err
}

// listBefore lists the existing keys, unless the caller may create keys but not list
// them.
func (k *keyCreation) listBefore(ctx context.Context) error {
	var listed timing
	var keys []APIKey
	request := k.scope.call(http.MethodGet)
	request.timing = &listed
	err := k.client.do(ctx, request, &keys)
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
	if !listed.date.IsZero() {
		k.ahead = listed.date.Sub(listed.answered)
	}
	return nil
}

func (k *keyCreation) namesakesBefore() []APIKey {
	var namesakes []APIKey
	for _, key := range k.before {
		if k.isNamesake(key) {
			namesakes = append(namesakes, key)
		}
	}
	slices.SortFunc(namesakes, func(a, b APIKey) int { return cmp.Compare(a.ID, b.ID) })
	return namesakes
}

// cleanUp looks once more after a success, for keys that earlier attempts created late.
func (k *keyCreation) cleanUp(ctx context.Context) error {
	if err := sleep(ctx, lateEffects); err != nil {
		return fmt.Errorf("whether an earlier attempt created a key named %q could not be found out: %w", k.name, err)
	}
	if err := k.revokeLost(ctx); err != nil {
		return err
	}
	_, late, err := k.candidates(ctx)
	if err != nil || len(late) == 0 {
		return err
	}
	return fmt.Errorf("these keys of that name were created after an answer was lost and never used; they are of the earlier attempt, "+
		"or of another run that goes on at the same time; revoke those that nobody needs:%s", k.client.DescribeAPIKeys(k.scope, late))
}

// revokeLost finds the key that a lost answer was about, and revokes it. An error says
// what may still exist.
func (k *keyCreation) revokeLost(ctx context.Context) error {
	ours, late, err := k.candidates(ctx)
	switch {
	case err != nil:
		return err
	case len(ours) == 0:
		return nil
	case len(ours) > 1:
		return fmt.Errorf("several keys of that name were created meanwhile and none was used yet, so which one this run created isn't known; "+
			"revoke those that nobody needs:%s", k.client.DescribeAPIKeys(k.scope, append(ours, late...)))
	}
	if err := k.client.RevokeAPIKey(ctx, k.scope, ours[0].ID); err != nil {
		return fmt.Errorf("API key %d was created, its token was lost with the answer, and it could not be revoked (%w); revoke it:%s",
			ours[0].ID, err, k.client.DescribeAPIKeys(k.scope, ours))
	}
	return nil
}

// candidates returns the new keys that may be of a lost answer: ours were created during
// a lost attempt, late ones after it.
func (k *keyCreation) candidates(ctx context.Context) (ours, late []APIKey, err error) {
	if k.before == nil {
		return nil, nil, errors.New("the keys could not be listed before, so whether one was created isn't known; look for it in the console")
	}
	var creator string
	if k.scope.OrgID != "" { // The list of personal keys has those of one user only.
		if creator, err = k.client.userID(ctx); err != nil {
			return nil, nil, err
		}
	}
	keys, err := k.client.APIKeys(ctx, k.scope)
	for _, key := range keys {
		if _, known := k.before[key.ID]; known || !k.isNamesake(key) || key.LastUsedAt != nil || creator != "" && string(key.CreatedBy) != creator {
			continue
		}
		fits := func(attempt timing) bool { return k.isDuring(attempt, key.CreatedAt) }
		switch {
		case slices.ContainsFunc(k.lost, fits):
			ours = append(ours, key)
		case len(k.lost) > 0 && key.CreatedAt.After(k.lost[0].sent.Add(k.ahead)):
			late = append(late, key)
		}
	}
	return ours, late, err
}

// isDuring reports whether a time of Neon's is within an attempt.
func (k *keyCreation) isDuring(attempt timing, at time.Time) bool {
	return !at.Before(attempt.sent.Add(k.ahead-clockTolerance)) && !at.After(attempt.answered.Add(k.ahead+clockTolerance))
}

// isNamesake reports whether a key is live, has our name and scope, and was not created
// by this client.
func (k *keyCreation) isNamesake(key APIKey) bool {
	_, isOurs := k.client.keys.ours.Load(key.ID)
	return key.Name == k.name && key.ProjectID == k.scope.ProjectID && !key.Revoked && !isOurs
}
