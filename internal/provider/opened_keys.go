package provider

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

const (
	// afterInterruption is how long the creation or the revocation of a key may
	// still take when the run is interrupted. Terraform waits for it.
	afterInterruption = 20 * time.Second
	// longestRevocation is more than the minute after which the platform's rate
	// limit lets requests through again.
	longestRevocation = 2 * time.Minute
)

// openedKey is what the revocation of a key needs. It never holds the token.
type openedKey struct {
	ID    int64
	Name  string
	Scope client.APIKeyScope
}

// revoke revokes the key, even if the run is interrupted. A key that may outlive
// the run is named in a warning: the run has done its work by then, and only a
// person can do the rest.
func (k openedKey) revoke(ctx context.Context, api *client.Client, diags *diag.Diagnostics) {
	lasting, stop := outlast(ctx, afterInterruption)
	defer stop()
	limited, cancel := context.WithTimeout(lasting, longestRevocation)
	defer cancel()
	err := api.RevokeAPIKey(limited, k.Scope, k.ID)
	if err == nil {
		return
	}
	whose := "personal API key"
	if k.Scope.OrgID != "" {
		whose = "API key of organization " + k.Scope.OrgID
	}
	diags.AddWarning(fmt.Sprintf("API key %d may still be valid", k.ID), fmt.Sprintf(
		"The %s with id %d, named %q, was made for this run and could not be revoked. Revoke it in the web console, or with:\n  %s\n\n%s",
		whose, k.ID, k.Name, api.RevocationCommand(k.Scope, k.ID), describe(err, nil)))
}

// outlast gives a context that goes on for a while after ctx has ended, so that
// an interruption leaves nothing half done.
func outlast(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel()
		case <-lasting.Done():
		}
	})
	return lasting, func() {
		stop()
		cancel()
	}
}

// openedKeys are the keys that are open.
type openedKeys struct {
	mu   sync.Mutex
	keys map[int64]keyToRevoke
}

type keyToRevoke struct {
	openedKey

	api *client.Client
}

func (k *openedKeys) add(api *client.Client, key openedKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys == nil {
		k.keys = map[int64]keyToRevoke{}
	}
	k.keys[key.ID] = keyToRevoke{key, api}
}

func (k *openedKeys) remove(id int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.keys, id)
}

// take gives all keys, which are not open any more.
func (k *openedKeys) take() map[int64]keyToRevoke {
	k.mu.Lock()
	defer k.mu.Unlock()
	taken := k.keys
	k.keys = nil
	return taken
}

// revokeAll revokes all keys that are open, as soon as it can be, and says which
// may still be valid.
func (k *openedKeys) revokeAll(ctx context.Context) []string {
	interrupted, cancel := context.WithCancel(ctx)
	cancel()
	taken := k.take()
	failures := make(chan string, len(taken))
	var revocations sync.WaitGroup
	for _, key := range taken {
		revocations.Go(func() {
			var diags diag.Diagnostics
			key.revoke(interrupted, key.api, &diags)
			for _, problem := range diags {
				failures <- problem.Summary() + ": " + problem.Detail()
			}
		})
	}
	revocations.Wait()
	close(failures)
	var texts []string
	for text := range failures {
		texts = append(texts, text)
	}
	return texts
}
