package project

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewRecoverAction returns the action neon_recover_project.
func NewRecoverAction() action.Action {
	return kit.NewAction(kit.Action[recoverModel]{
		Name: "recover_project",
		Description: "Recovers a project that was deleted in the last seven days, with all that it had. Its computes are " +
			"suspended, and some integrations must be set up again. If its `neon_project` has left the state, import the " +
			"project, or the next apply creates a new one.",
		Attributes: map[string]schema.Attribute{
			"project_id": kit.RequiredID("Id of the deleted project. The data source `neon_projects` lists deleted ones with " +
				"`recoverable`."),
		},
		Invoke: recoverProject,
		Doubt:  "Look in the web console whether the project is back.",
	})
}

type recoverModel struct {
	kit.Invocation

	ProjectID types.String `tfsdk:"project_id"`
}

func recoverProject(ctx context.Context, api *client.Client, config recoverModel) (string, error) {
	project, err := api.RecoverProject(ctx, config.ProjectID.ValueString())
	if client.IsMissing(err) {
		if project, err := api.GetProject(ctx, config.ProjectID.ValueString()); err == nil {
			return "", fmt.Errorf("project %s (%s) isn't deleted, so there is nothing to recover", project.ID,
				kit.Quoted(project.Name))
		}
		return "", kit.Advise(err, "A project can be recovered for seven days after its deletion, by a key of its "+
			"organization. One that isn't deleted can't be. The data source neon_projects lists those that can be with "+
			"recoverable = true.")
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("If a state still has project %q, this doesn't show up in the next plan. If it has left the "+
		"state, import it; otherwise its neon_project creates a new one:\n\n%s", project.Name,
		kit.ImportBlock("neon_project", project.ID)), nil
}
