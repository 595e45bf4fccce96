package apikey

import (
	"context"
	"fmt"
	"strconv"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// openedKey holds what is needed to revoke a key. It never holds the token.
type openedKey struct {
	ID    int64
	Name  string
	Scope client.APIKeyScope
}

func newOpenedKey(key *client.APIKey, scope client.APIKeyScope) *openedKey {
	if scope.OrgID == "" {
		scope.UserID = string(key.CreatedBy)
	}
	return &openedKey{key.ID, key.Name, scope}
}

// String returns the id of the key.
func (k openedKey) String() string { return strconv.FormatInt(k.ID, 10) }

func revoke(ctx context.Context, run kit.Run, k openedKey) {
	err := run.API.RevokeAPIKey(ctx, k.Scope, k.ID)
	if err == nil {
		return
	}
	whose := "personal API key"
	if k.Scope.OrgID != "" {
		whose = "API key of organization " + k.Scope.OrgID
	}
	run.Warn(fmt.Sprintf("API key %d may still be valid", k.ID), fmt.Sprintf(
		"The %s with id %d, named %s, was created for this run and could not be revoked. Revoke it in the web console, or "+
			"with:\n  %s\n\n%s",
		whose, k.ID, kit.Quoted(k.Name), run.API.RevocationCommand(k.Scope, k.ID), kit.Describe(err, nil)))
}
