package apikey

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	// afterInterruption is how long the creation or the revocation of a key may
	// still take when the run is interrupted. Terraform waits for it.
	afterInterruption = 20 * time.Second
	// longestRevocation is more than the minute after which Neon's rate
	// limit lets requests through again.
	longestRevocation = 2 * time.Minute
)

// openedKeyData is where Terraform keeps, while the key is open, what its revocation needs.
const openedKeyData = "opened_key"

// openedKey is what the revocation of a key needs. It never holds the token.
type openedKey struct {
	ID    int64
	Name  string
	Scope client.APIKeyScope
}

func newOpenedKey(key *client.CreatedAPIKey, scope client.APIKeyScope) openedKey {
	if scope.OrgID == "" {
		scope.UserID = string(key.CreatedBy)
	}
	return openedKey{key.ID, key.Name, scope}
}

func (k openedKey) keep(ctx context.Context, resp *ephemeral.OpenResponse) {
	data, err := json.Marshal(k)
	if err != nil {
		resp.Diagnostics.AddError("Unable to open API key", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.Private.SetKey(ctx, openedKeyData, data)...)
}

// name tells the key from all others that are open.
func (k openedKey) name() string { return fmt.Sprintf("API key %d", k.ID) }

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
		"The %s with id %d, named %s, was created for this run and could not be revoked. Revoke it in the web console, or with:\n  %s\n\n%s",
		whose, k.ID, kit.Quoted(k.Name), api.RevocationCommand(k.Scope, k.ID), kit.Describe(err, nil)))
}

// outlast returns a context that goes on for a while after ctx has ended, so that
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
