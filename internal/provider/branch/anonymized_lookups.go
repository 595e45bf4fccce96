package branch

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewAnonymizedDataSource returns the data source neon_anonymized_branch: how far a branch's anonymization is.
func NewAnonymizedDataSource() datasource.DataSource {
	rule := map[string]schema.Attribute{}
	for name := range ruleType.AttrTypes {
		rule[name] = kit.ReturnedString("As in the resource `neon_anonymized_branch`.")
	}
	return kit.NewBranchSource(kit.BranchSource[anonymizedData]{
		Name: "anonymized_branch", Called: "anonymized branch", By: "branch_id",
		Text: "State and rules of a branch's anonymization. The data source `neon_branch` reads the branch itself.",
		Schema: map[string]schema.Attribute{
			"state": kit.ReturnedString("State in Neon's words, such as `initialized`, `anonymizing`, `anonymized` or " +
				"`error`. It changes by itself."),
			"status_message": kit.ReturnedString("What Neon says of the state, such as which rule failed; null for " +
				"nothing."),
			"last_started_at":   kit.ReturnedTime("When the last masking began; null for never."),
			"last_completed_at": kit.ReturnedTime("When it ended; null if it hasn't."),
			"masked_columns":    kit.ReturnedInt("How many columns it masked; null for never."),
			"masking_rules": schema.SetNestedAttribute{
				MarkdownDescription: "Columns whose values are replaced.", Computed: true,
				NestedObject: schema.NestedAttributeObject{Attributes: rule},
			},
		},
		Read: readAnonymization,
	})
}

type anonymizedData struct {
	kit.InBranch

	State         types.String      `tfsdk:"state"`
	StatusMessage types.String      `tfsdk:"status_message"`
	StartedAt     timetypes.RFC3339 `tfsdk:"last_started_at"`
	CompletedAt   timetypes.RFC3339 `tfsdk:"last_completed_at"`
	MaskedColumns types.Int64       `tfsdk:"masked_columns"`
	MaskingRules  types.Set         `tfsdk:"masking_rules"`
}

func readAnonymization(ctx context.Context, api *client.Client, m *anonymizedData) error {
	rules, err := api.ListMaskingRules(ctx, m.Branch())
	if err != nil {
		return err
	}
	status, err := api.GetAnonymization(ctx, m.Branch())
	if err != nil {
		return err
	}
	m.State, m.StatusMessage, m.MaskingRules = types.StringValue(status.State), kit.OptionalString(status.Message),
		rulesValue(rules)
	if run := status.LastRun; run != nil {
		m.StartedAt, m.CompletedAt, m.MaskedColumns = kit.OptionalTime(run.StartedAt), kit.OptionalTime(run.CompletedAt),
			types.Int64PointerValue(run.MaskedColumns)
	}
	return nil
}

// NewAnonymizedListResource returns the list resource neon_anonymized_branch.
func NewAnonymizedListResource() framework.ListResource {
	return kit.NewListInProject("anonymized_branch", branchKey, "Lists the anonymized branches of a project, newest "+
		"first. Sends three more requests for each.", listAnonymized,
		func(projectID string, found anonymizedBranch) kit.Listed[anonymizedModel] {
			return kit.Listed[anonymizedModel]{
				Key: []string{projectID, found.branch.ID}, DisplayName: found.branch.Name,
				Read: func(imported anonymizedModel) (anonymizedModel, error) {
					return imported.refreshed(&found.branch, found.masks), nil
				},
			}
		})
}

type anonymizedBranch struct {
	branch client.Branch
	masks  masks
}

func listAnonymized(api *client.Client, ctx context.Context, projectID string) iter.Seq2[anonymizedBranch, error] { //nolint:revive // Like the client's methods.
	return func(yield func(anonymizedBranch, error) bool) {
		for branch, err := range api.ListBranches(ctx, projectID, client.BranchQuery{}) {
			found := anonymizedBranch{branch: branch}
			if err == nil && !branch.IsAnonymized() {
				continue
			}
			if err == nil {
				found.masks, err = readMasks(ctx, api, client.BranchRef{ProjectID: projectID, ID: branch.ID})
			}
			if !yield(found, err) {
				return
			}
		}
	}
}
