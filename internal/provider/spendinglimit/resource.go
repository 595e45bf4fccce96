// Package spendinglimit is what an organization means to spend in a month. Neon sends notices
// as it comes near.
package spendinglimit

import (
	"context"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var key = kit.Key{
	Rule:  "A spending limit is imported by org_id, such as org-wispy-meadow-12345678",
	Parts: []kit.KeyPart{{Name: "org_id", Description: "Id of the organization.", Valid: kit.IsID("org_id")}},
}

// NewResource returns the managed resource neon_org_spending_limit.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:  "org_spending_limit",
		First: "id org_id spending_limit_cents",
		Key:   key,
		Schema: schema.Schema{
			MarkdownDescription: "The amount that an organization plans to spend in a month, on the plans Launch and Scale. " +
				"Neon sends emails at 80 % and at 100 % of it. **It stops nothing:** computes go on and are billed. Neon calls " +
				"this beta.",
			Attributes: map[string]schema.Attribute{
				"id":     kit.ComputedString("Id of the organization."),
				"org_id": kit.OwnOrganizationID(),
				"spending_limit_cents": schema.Int64Attribute{
					MarkdownDescription: "The limit in US cents for a month, 1 or more. It may be below what was spent already.",
					Required:            true,
					Validators:          []validator.Int64{int64validator.AtLeast(1)},
				},
			},
		},
		MovedFrom:   map[string]string{"neondatabase/neon": "neon_org_spending_limit"},
		Plan:        kit.PlanOrganization,
		IsExclusive: true,
		IsReadAlone: true,
		Create:      create,
		Read:        read,
		Update:      update,
		Delete:      remove,
	})
}

type model struct {
	ID    types.String `tfsdk:"id"`
	OrgID types.String `tfsdk:"org_id"`
	Cents types.Int64  `tfsdk:"spending_limit_cents"`
}

// create sets the limit. Neon would replace one that somebody has set.
func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	orgID := plan.OrgID.ValueString()
	present, err := run.API.GetSpendingLimit(ctx, orgID)
	if err == nil {
		return kit.Exists("organization "+orgID+" has a spending limit already, of "+strconv.FormatInt(present, 10)+" cents",
			"neon_org_spending_limit", orgID)
	}
	if !client.IsAbsent(err) {
		return err
	}
	return update(ctx, run, model{}, plan, save)
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	cents, err := run.API.GetSpendingLimit(ctx, state.OrgID.ValueString())
	if err != nil {
		return model{}, err
	}
	state.ID, state.Cents = state.OrgID, types.Int64Value(cents)
	return state, nil
}

func update(ctx context.Context, run kit.Run, _, plan model, save func(model)) error {
	if err := run.API.SetSpendingLimit(ctx, plan.OrgID.ValueString(), plan.Cents.ValueInt64()); err != nil {
		return err
	}
	plan.ID = plan.OrgID
	save(plan)
	return nil
}

func remove(ctx context.Context, run kit.Run, state model) error {
	return run.API.DeleteSpendingLimit(ctx, state.OrgID.ValueString())
}
