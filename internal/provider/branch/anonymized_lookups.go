package branch

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewAnonymizedDataSource returns the data source neon_anonymized_branch: how far a branch's anonymization is.
func NewAnonymizedDataSource() datasource.DataSource {
	return kit.NewBranchSource(kit.BranchSource[anonymization]{
		Name: "anonymized_branch", Called: "anonymized branch", By: "branch_id", Returns: returnedAnonymization,
		Text: "State and rules of a branch's anonymization. The data source `neon_branch` reads the branch itself.",
		Read: func(api *client.Client, ctx context.Context, branch client.BranchRef, _ string) (*anonymization, error) {
			rules, err := api.ListMaskingRules(ctx, branch)
			if err != nil {
				return nil, unlessOrdinary(ctx, api, branch, err, ordinaryElsewhere)
			}
			status, err := api.GetAnonymization(ctx, branch)
			if err != nil {
				return nil, err
			}
			return &anonymization{*status, rules}, nil
		},
	})
}

type anonymization struct {
	client.Anonymization

	rules []client.MaskingRule
}

func returnedAnonymization(found anonymization) kit.Returned {
	rule := map[string]schema.Attribute{}
	for name := range ruleType.AttrTypes {
		rule[name] = kit.ReturnedString("As in the resource `neon_anonymized_branch`.")
	}
	var last client.AnonymizationRun
	if found.LastRun != nil {
		last = *found.LastRun
	}
	return kit.Returned{
		"state": kit.Returns("State in Neon's words, such as `initialized`, `anonymizing`, `anonymized` or `error`. It "+
			"changes by itself.", types.StringValue(found.State)),
		"status_message": kit.Returns("What Neon says of the state, such as which rule failed; null for nothing.",
			kit.OptionalString(found.Message)),
		"last_started_at": kit.Returns("When the last masking began; null for never.", kit.OptionalTime(last.StartedAt)),
		"last_completed_at": kit.Returns("When the last masking ended; null if it hasn't.",
			kit.OptionalTime(last.CompletedAt)),
		"masked_columns": kit.Returns("How many columns the last masking changed; null for never.",
			types.Int64PointerValue(last.MaskedColumns)),
		"masking_rules": kit.ReturnsAs(schema.SetNestedAttribute{
			MarkdownDescription: "Columns whose values are replaced.", Computed: true,
			NestedObject: schema.NestedAttributeObject{Attributes: rule},
		}, rulesValue(found.rules)),
	}
}

// unlessOrdinary is adviseOrdinary for a branch that wasn't read.
func unlessOrdinary(
	ctx context.Context, api *client.Client, ref client.BranchRef, err error, advice string,
) error {
	branch, readErr := api.GetSharedBranch(ctx, ref)
	if readErr != nil {
		return err
	}
	return adviseOrdinary(err, branch, "branch_id", advice)
}

// NewAnonymizedListResource returns the list resource neon_anonymized_branch.
func NewAnonymizedListResource() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "anonymized_branch", branchKey,
		"Lists the anonymized branches of a project, newest first. Sends three more requests for each.", listAnonymized,
		func(imported anonymizedModel, found *anonymizedBranch) anonymizedModel {
			return imported.refreshed(&found.branch, found.masks)
		},
		func(found anonymizedBranch) (id, name string) { return found.branch.ID, found.branch.Name })
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
