// Package user is a person with an account at Neon, who owns personal API keys and is a
// member of organizations.
package user

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewCurrentDataSource returns neon_current_user: whose personal API key is configured.
func NewCurrentDataSource() datasource.DataSource {
	return kit.NewObjectSource(kit.ObjectSource[struct{}, client.User]{
		Name: "current_user", Returns: returned, Read: read,
		Text: "The user whose personal API key is configured, without its payment details. A key of an organization or a " +
			"project belongs to no user.",
	})
}

func returned(user client.User) kit.Returned {
	return kit.Returned{
		"id":             kit.Returns("Id of the user, a UUID.", types.StringValue(user.ID)),
		"email":          kit.Returns("Email address of the user.", types.StringValue(user.Email)),
		"name":           kit.Returns("First name of the user; null if there is none.", kit.OptionalString(user.Name)),
		"last_name":      kit.Returns("Last name of the user; null if there is none.", kit.OptionalString(user.LastName)),
		"projects_limit": kit.Returns("How many projects the user may have.", types.Int64Value(user.ProjectsLimit)),
		"branches_limit": kit.Returns("How many branches a project may have.", types.Int64Value(user.BranchesLimit)),
		"max_autoscaling_limit": kit.Returns("The most compute units that an endpoint may scale to; 0 for no limit.",
			types.Float64Value(user.MaxAutoscalingLimit)),
	}
}

func read(ctx context.Context, run kit.Run, _ *struct{}) *client.User {
	user, err := run.API.GetCurrentUser(ctx)
	if err != nil {
		kit.AddError(run.Diags, "Unable to read the current user", err)
	}
	return user
}
