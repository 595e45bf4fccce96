package neonauth

import (
	"context"
	"iter"

	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_auth: the branches of a project that have it.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "auth", key,
		"Lists the branches of a project that have Neon Auth. Sends a request for each branch.", enabled,
		func(imported model, found *enabledAuth) model {
			return imported.with(context.Background(), found.auth, found.settings, false)
		},
		func(found enabledAuth) (id, name string) { return found.branch.ID, found.branch.Name })
}

// enabledAuth is Neon Auth of a branch.
type enabledAuth struct {
	branch   client.Branch
	auth     *client.Auth
	settings *client.AuthSettings
}

// enabled asks each branch.
func enabled(api *client.Client, ctx context.Context, projectID string) iter.Seq2[enabledAuth, error] { //nolint:revive // Like the client's methods.
	return func(yield func(enabledAuth, error) bool) {
		for branch, err := range api.ListBranches(ctx, projectID, client.BranchQuery{}) {
			found := enabledAuth{branch: branch}
			if err == nil {
				found.auth, err = api.GetAuth(ctx, client.BranchRef{ProjectID: projectID, ID: branch.ID})
			}
			if client.IsAbsent(err) {
				continue
			}
			if err == nil {
				found.settings, err = api.GetAuthSettings(ctx, client.BranchRef{ProjectID: projectID, ID: branch.ID})
			}
			if !yield(found, err) {
				return
			}
		}
	}
}
