package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// keySettling is the pause before a key is looked for after a lost answer. By then,
// other runs have used the keys that they created meanwhile, or have given that up.
const keySettling = firstUse + 2*clockTolerance

// keyIdentity has a key looked for once. One that is found is revoked, so that another may be made.
var keyIdentity = identity{looks: []time.Duration{keySettling}, repeats: true}

// keyCreation creates one key. Keys bear no mark. After a lost answer a key counts as ours only if the list before
// lacks it, name, scope, creator and the time of the request match, and it was never used. Then it is revoked, since
// its token is lost, and another one created. If no key or several match, the error says so.
type keyCreation struct {
	client *Client
	scope  APIKeyScope
	name   string
	// before are the keys that existed before; nil where they couldn't be listed.
	before []APIKey
	// lost are the attempts whose answers were lost, or replaced by a proxy's refusal, until their key is revoked.
	lost []times
	// failure is what the last attempt came to.
	failure error
}

func (k *keyCreation) run(ctx context.Context) (*Answer[APIKey], error) {
	request := k.scope.creation(k.name)
	// Key names aren't unique: with one creation of a name at a time, our own keys can't be confused.
	leave, err := k.client.creations.turn(ctx, request, fmt.Sprintf("%s %v %s", request.route, k.scope, k.name))
	if err != nil {
		return nil, err
	}
	defer leave()
	if err := k.listBefore(ctx); err != nil {
		return nil, err
	}
	created, err := writeOnce(ctx, k.client, request,
		func() (*Answer[APIKey], error) { return k.send(ctx) },
		func(look context.Context) (*Answer[APIKey], error) { return nil, k.revokeLost(look, ctx.Err() != nil) })
	if err == nil {
		created.Namesakes = slices.DeleteFunc(k.before, func(key APIKey) bool { return !k.isNamesake(key) })
	}
	return created, err
}

func (k *keyCreation) send(ctx context.Context) (*Answer[APIKey], error) {
	var attempt times
	created, err := k.client.createAPIKey(ctx, k.scope, k.name, &attempt)
	if err == nil && k.isOld(created.Object) { // What was created is another key, which nothing would name.
		err = k.scope.creation(k.name).malformed("it is about another API key")
	}
	k.failure = err
	switch {
	case err == nil:
		k.client.creations.take(k.scope.call(http.MethodPost), created.Object.id())
		k.client.useOnce(ctx, k.scope, created.Object.Key)
	case IsLost(err), isProxysRefusal(err):
		k.lost = append(k.lost, attempt)
		k.client.creations.before.forget(k.scope.call(http.MethodPost).realm())
	}
	return created, err
}

// creation is the request for a key.
func (s APIKeyScope) creation(name string) call {
	request := s.call(http.MethodPost)
	request.by, request.subject = keyIdentity, fmt.Sprintf("an API key named %q", name)
	return request
}

func (c *Client) createAPIKey(
	ctx context.Context, scope APIKeyScope, name string, attempt *times,
) (*Answer[APIKey], error) {
	request := scope.creation(name)
	request.times, request.carriesOn = attempt, true
	request.body = struct {
		KeyName   string `json:"key_name"`
		ProjectID string `json:"project_id,omitempty"`
	}{name, scope.ProjectID}
	created, err := receive[APIKey](ctx, c, request, "id", "key")
	if err != nil {
		return nil, err
	}
	created.Name = cmp.Or(created.Name, name)
	return &Answer[APIKey]{Object: *created}, nil
}

// list returns the keys, the oldest first. One that can't be decoded is nobody's concern here.
func (k *keyCreation) list(ctx context.Context) ([]APIKey, error) {
	keys := []APIKey{}
	for key, err := range k.scope.kind().walk(ctx, k.client, k.scope.call(http.MethodGet)) {
		if err != nil {
			return nil, err
		}
		keys = append(keys, key.object)
	}
	slices.SortFunc(keys, func(a, b APIKey) int { return cmp.Compare(a.ID, b.ID) })
	return keys, nil
}

// listBefore lists the existing keys, unless the caller may create keys but not list
// them. Creations that come close together share the list: their own keys are known.
func (k *keyCreation) listBefore(ctx context.Context) error {
	question := k.scope.call(http.MethodGet).question()
	before, _, err := shareAmong(ctx, &k.client.creations.before, question, oldestBefore, k.list)
	if HasStatus(err, http.StatusNotFound) || HasStatus(err, http.StatusForbidden) {
		return nil
	}
	k.before = slices.Clone(before)
	return err
}

// revokeLost finds the key that a lost answer was about, and revokes it: then another may be created. An error says
// what exists, or may exist. After an interruption other runs had no time to use their keys, so that none is revoked.
func (k *keyCreation) revokeLost(ctx context.Context, isInterrupted bool) error {
	if len(k.lost) == 0 { // It is the attempt after the revocation that was refused.
		return nil
	}
	ours, late, err := k.candidates(ctx)
	switch {
	case err != nil:
		return err
	case len(ours)+len(late) == 0 && isProxysRefusal(k.failure) && !IsLost(k.failure): // It passed nothing on.
		return nil
	case len(ours)+len(late) == 0:
		asked := k.client.clock.at(k.lost[len(k.lost)-1].sent).UTC().Format(time.RFC3339)
		return fmt.Errorf("there is no new key named %q, but one may still come, which was asked for at %s and whose token "+
			"nobody has; list the keys later, and revoke it by its id:\n  %s\n  %s", k.name, asked,
			k.client.shellCommand(k.scope.call(http.MethodGet)), k.client.shellCommand(k.scope.revocation("KEY_ID")))
	case len(ours) != 1 || len(late) > 0 || isInterrupted:
		return fmt.Errorf("new keys of that name were never used, and which of them this run created isn't known; another "+
			"run may go on to use the others, so look at them in the web console before you revoke any there: %s",
			DescribeAPIKeys(append(ours, late...)))
	}
	if err := k.client.RevokeAPIKey(ctx, k.scope, ours[0].ID); err != nil {
		return fmt.Errorf("API key %d was created, its token was lost with the answer, and it could not be revoked (%w); "+
			"revoke it:\n  %s",
			ours[0].ID, err, k.client.RevocationCommand(k.scope, ours[0].ID))
	}
	k.lost = nil
	return nil
}

// candidates returns the new keys that may be of a lost answer: ours were created during an attempt, late ones after.
func (k *keyCreation) candidates(ctx context.Context) (ours, late []APIKey, err error) {
	if k.before == nil {
		return nil, nil, errors.New("the keys could not be listed before, so whether one was created isn't known; look for " +
			"it in the console")
	}
	var creator string
	if k.scope.OrgID != "" { // The list of personal keys has those of one user only.
		user, err := k.client.GetCurrentUser(ctx)
		if err != nil {
			return nil, nil, err
		}
		creator = user.ID
	}
	keys, err := k.list(ctx)
	for _, key := range keys {
		if k.isOld(key) || !k.isNamesake(key) || key.LastUsedAt != nil || creator != "" && string(key.CreatedBy) != creator {
			continue
		}
		fits := func(attempt times) bool { return k.isDuring(attempt, key.CreatedAt) }
		switch {
		case slices.ContainsFunc(k.lost, fits):
			ours = append(ours, key)
		case len(k.lost) > 0 && key.CreatedAt.After(k.client.clock.at(k.lost[0].sent)):
			late = append(late, key)
		}
	}
	return ours, late, err
}

// isOld reports whether a key was there before.
func (k *keyCreation) isOld(key APIKey) bool {
	return slices.ContainsFunc(k.before, func(old APIKey) bool { return old.ID == key.ID })
}

// isDuring reports whether a time of Neon's is within an attempt.
func (k *keyCreation) isDuring(attempt times, at time.Time) bool {
	clock := &k.client.clock
	return !at.Before(clock.at(attempt.sent).Add(-clockTolerance)) &&
		!at.After(clock.at(attempt.answered).Add(clockTolerance))
}

// isNamesake reports whether a key is live, has our name and scope, and was not created by this client.
func (k *keyCreation) isNamesake(key APIKey) bool {
	isOurs := k.client.creations.hasTaken(k.scope.call(http.MethodPost), key.id())
	return key.Name == k.name && key.ProjectID == k.scope.ProjectID && !key.Revoked && !isOurs
}
