package project

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// mostTransferred is how many projects Neon transfers at once.
const mostTransferred = 400

// NewTransferAction returns the action neon_transfer_projects.
func NewTransferAction() action.Action {
	return kit.NewAction(kit.Action[transferModel]{
		Name: "transfer_projects",
		Description: "Transfers projects to another organization: all of them, or none. Connection strings stay as they " +
			"are; project-scoped API keys stop working. The administrator whose key this is must be a member of the " +
			"destination. To transfer a project that Terraform manages, change its `org_id` instead: otherwise its next apply " +
			"transfers it back.",
		Attributes: map[string]schema.Attribute{
			"source_org_id":      kit.RequiredID("Id of the organization that has the projects."),
			"destination_org_id": kit.RequiredID("Id of the organization that receives the projects."),
			"project_ids": schema.SetAttribute{
				MarkdownDescription: "Ids of the projects, 1 to 400.",
				Required:            true,
				ElementType:         types.StringType,
				Validators: []validator.Set{
					setvalidator.SizeBetween(1, mostTransferred), kit.NoNulls{}, setvalidator.ValueStringsAre(kit.IDValidators()...),
				},
			},
		},
		Validate: transferModel.validate,
		Plan:     checkTransfer,
		Invoke:   transferProjects,
		Doubt:    "Look in the web console which organization has the projects.",
	})
}

type transferModel struct {
	kit.Invocation

	SourceOrgID      types.String `tfsdk:"source_org_id"`
	DestinationOrgID types.String `tfsdk:"destination_org_id"`
	ProjectIDs       types.Set    `tfsdk:"project_ids"`
}

func (m transferModel) validate(diags *diag.Diagnostics) {
	if kit.IsSet(m.SourceOrgID) && m.SourceOrgID.Equal(m.DestinationOrgID) {
		diags.AddAttributeError(path.Root("destination_org_id"), "Two organizations are needed",
			"source_org_id and destination_org_id are both "+m.SourceOrgID.ValueString()+": set destination_org_id to the "+
				"organization that gets the projects.")
	}
}

func checkTransfer(ctx context.Context, run kit.Run, config transferModel) {
	for _, id := range known(config.ProjectIDs) {
		if run.CheckProject(ctx, id, run.Diags) == nil {
			return
		}
	}
}

// known are the texts of a set that are known.
func known(set types.Set) []string {
	var texts []string
	for _, element := range set.Elements() {
		if kit.IsSet(element) {
			texts = append(texts, kit.Text(element))
		}
	}
	return texts
}

func transferProjects(ctx context.Context, api *client.Client, config transferModel) (string, error) {
	ids := known(config.ProjectIDs)
	from, to := config.SourceOrgID.ValueString(), config.DestinationOrgID.ValueString()
	err := api.TransferProjects(ctx, ids, from, to)
	switch {
	case client.HasStatus(err, http.StatusNotFound):
		return "", kit.Advise(err, "Check source_org_id and destination_org_id, and that the API key is a personal one of "+
			"an administrator of the first, who is a member of the second. The data source neon_organizations lists those that "+
			"the key can see. Nothing was changed.")
	case err != nil:
		return "", adviseTransfer(err, from)
	}
	return fmt.Sprintf("Set org_id of the neon_project resources of %s to %q: the next plan of one that still names the "+
		"other organization transfers it back.", strings.Join(ids, ", "), to), nil
}
