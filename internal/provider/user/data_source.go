// Package user is a person with an account at Neon, who owns personal API keys and is a
// member of organizations.
package user

import (
	"context"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewCurrentDataSource returns neon_current_user: whose personal API key is configured.
func NewCurrentDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[model]{
		Name: "current_user",
		Schema: schema.Schema{
			MarkdownDescription: "The user whose personal API key is configured, without its payment details. A key of an " +
				"organization or a project belongs to no user.",
			Attributes: map[string]schema.Attribute{
				"id":             kit.ReturnedString("Id of the user, a UUID."),
				"email":          kit.ReturnedString("Email address of the user."),
				"name":           kit.ReturnedString("First name of the user; null if there is none."),
				"last_name":      kit.ReturnedString("Last name of the user; null if there is none."),
				"projects_limit": kit.ReturnedInt("How many projects the user may have."),
				"branches_limit": kit.ReturnedInt("How many branches a project may have."),
				"max_autoscaling_limit": schema.Float64Attribute{
					MarkdownDescription: "The most compute units that an endpoint may scale to; 0 for no limit.", Computed: true,
				},
			},
		},
		Read: read,
	})
}

type model struct {
	ID                  types.String  `tfsdk:"id"`
	Email               types.String  `tfsdk:"email"`
	Name                types.String  `tfsdk:"name"`
	LastName            types.String  `tfsdk:"last_name"`
	ProjectsLimit       types.Int64   `tfsdk:"projects_limit"`
	BranchesLimit       types.Int64   `tfsdk:"branches_limit"`
	MaxAutoscalingLimit types.Float64 `tfsdk:"max_autoscaling_limit"`
}

func read(ctx context.Context, platform *kit.Platform, m *model, diags *diag.Diagnostics) {
	user, err := platform.Client.GetCurrentUser(ctx)
	if client.HasStatus(err, http.StatusNotFound) {
		err = kit.Advise(err, "Only a personal API key belongs to a user: this one seems to be a key of an organization or "+
			"a project.")
	}
	if err != nil {
		kit.AddError(diags, "Unable to read the current user", err)
		return
	}
	*m = model{
		ID:                  types.StringValue(user.ID),
		Email:               types.StringValue(user.Email),
		Name:                kit.OptionalString(user.Name),
		LastName:            kit.OptionalString(user.LastName),
		ProjectsLimit:       types.Int64Value(user.ProjectsLimit),
		BranchesLimit:       types.Int64Value(user.BranchesLimit),
		MaxAutoscalingLimit: types.Float64Value(user.MaxAutoscalingLimit),
	}
}
