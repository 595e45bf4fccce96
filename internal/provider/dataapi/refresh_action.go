package dataapi

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewRefreshAction returns the action neon_refresh_data_api_schema.
func NewRefreshAction() action.Action {
	return kit.NewAction(kit.Action[refreshModel]{
		Name: "refresh_data_api_schema",
		Description: "Makes a Data API read the schema of its database again. Until then it doesn't serve new tables and " +
			"columns, for example after a migration. This doesn't show up in the next plan.",
		Attributes: map[string]schema.Attribute{
			"project_id":    kit.RequiredID(kit.ProjectText),
			"branch_id":     kit.RequiredID(branchText),
			"database_name": kit.RequiredText(databaseText, kit.PostgresName()...),
		},
		Plan:   kit.CheckInBranch[refreshModel],
		Invoke: refresh,
	})
}

type refreshModel struct {
	kit.InBranch
	kit.Invocation

	DatabaseName types.String `tfsdk:"database_name"`
}

func refresh(ctx context.Context, api *client.Client, config refreshModel) (string, error) {
	if err := api.RefreshDataAPISchema(ctx, config.Branch(), config.DatabaseName.ValueString()); err != nil {
		return "", err
	}
	return fmt.Sprintf("The Data API of database %s reads its schema again. This doesn't show up in the next plan.",
		kit.Quoted(config.DatabaseName.ValueString())), nil
}
