package branch

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	// longestExpiry is how far ahead a branch may expire.
	longestExpiry = 30 * 24 * time.Hour
	// sameExpiry is how far an expiry may be from creation and expires_in, as the expiry is
	// sent before Neon says when the branch was created.
	sameExpiry = time.Minute
)

func expiryAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"expires_at": schema.StringAttribute{
			CustomType: timetypes.RFC3339Type{},
			MarkdownDescription: "When Neon deletes the branch by itself, such as `2030-01-31T12:00:00Z`: " +
				"at most 30 days ahead, to the second. Without it the branch stays.",
			Optional:      true,
			Validators:    []validator.String{stringvalidator.ConflictsWith(path.MatchRoot("expires_in"))},
			PlanModifiers: []planmodifier.String{kit.SameInstant()},
		},
		"expires_in": schema.StringAttribute{
			MarkdownDescription: "How long after its creation Neon deletes the branch by itself, such as `7d`, " +
				"`36h` or `90m`, at most `30d`. Conflicts with `expires_at`, which an import sets instead. A changed " +
				"value still counts from the creation.",
			Optional:      true,
			Validators:    []validator.String{kit.TextRule(checkExpiresIn)},
			PlanModifiers: []planmodifier.String{kit.KeepsSpelling(isSameDuration)},
		},
	}
}

// checkExpiresIn refuses what isn't a time after which a branch can expire.
func checkExpiresIn(at path.Path, text string, diags *diag.Diagnostics) {
	if life := durationOf(types.StringValue(text)); life <= 0 || life > longestExpiry {
		diags.AddAttributeError(at, "Invalid expiry", at.String()+" must be a duration above zero and at most 30d, "+
			"such as 7d, 36h or 90m, got: "+kit.Quoted(text)+".")
	}
}

// isSameDuration reports whether two durations differ in their format at most.
func isSameDuration(one, other string) bool {
	return durationOf(types.StringValue(one)) == durationOf(types.StringValue(other))
}

// expiry is when the branch is to expire that was created at a moment; nil for never.
func (m branchModel) expiry(created time.Time) *time.Time {
	if m.ExpiresIn.IsNull() {
		return kit.Instant(m.ExpiresAt)
	}
	at := created.Add(durationOf(m.ExpiresIn)).UTC().Truncate(time.Second)
	return &at
}

// newExpiry is when a branch is to expire that is created now; nil for never.
func (m branchModel) newExpiry(ctx context.Context, api *client.Client) *time.Time {
	if m.ExpiresIn.IsNull() {
		return kit.Instant(m.ExpiresAt)
	}
	return m.expiry(api.Now(ctx))
}

// withExpiry returns the model with the present expiry, in the attribute that has it.
func (m branchModel) withExpiry(branch *client.Branch) branchModel {
	actual := kit.OptionalTime(branch.ExpiresAt)
	switch {
	case m.ExpiresIn.IsNull():
		if !kit.AtSameInstant(m.ExpiresAt, actual) {
			m.ExpiresAt = actual
		}
	case branch.ExpiresAt == nil:
		m.ExpiresIn = types.StringNull()
	case branch.ExpiresAt.Sub(*m.expiry(branch.CreatedAt)).Abs() > sameExpiry:
		m.ExpiresIn = types.StringValue(branch.ExpiresAt.Sub(branch.CreatedAt).Round(time.Second).String())
	}
	return m
}

// checkNewExpiry checks an expiry that the plan changes.
func checkNewExpiry(ctx context.Context, p kit.Planning, plan, state branchModel) {
	if !kit.AtSameInstant(plan.ExpiresAt, state.ExpiresAt) {
		checkExpiry(ctx, p, plan.ExpiresAt)
	}
	if !plan.ExpiresIn.Equal(state.ExpiresIn) {
		checkLifetime(ctx, p, plan, state)
	}
}

// checkExpiry refuses times that Neon refuses.
func checkExpiry(ctx context.Context, p kit.Planning, expiry timetypes.RFC3339) {
	p.CheckExpiry(ctx, expiry)
	if moment := kit.Instant(expiry); moment != nil && moment.After(p.Now(ctx).Add(longestExpiry)) {
		p.Diags.AddAttributeError(path.Root("expires_at"), "Expiry too far ahead", fmt.Sprintf(
			"expires_at is %s; a branch can expire at most 30 days ahead.", expiry.ValueString()))
	}
}

// checkLifetime refuses an expires_in that is over already.
func checkLifetime(ctx context.Context, p kit.Planning, plan, state branchModel) {
	created := kit.Instant(state.CreatedAt)
	if created == nil || !kit.IsSet(plan.ExpiresIn) || plan.expiry(*created).After(p.Now(ctx)) {
		return
	}
	p.Diags.AddAttributeError(path.Root("expires_in"), "Expiry in the past", fmt.Sprintf("expires_in counts from the "+
		"creation, and %s after %s is past: it must be longer.", plan.ExpiresIn.ValueString(), state.CreatedAt.ValueString()))
}

const (
	howToExpire = "For a protected branch to expire, set protected = false; for the branch to stay, leave out " +
		"expires_at and expires_in."
	expiryIsRefused = "Neon refuses an expiry on a branch that is protected, is the default one or has children. " +
		howToExpire
)

// checkProtectedExpiry refuses an expiry for a branch that keeps its protection, as the
// configuration doesn't say that it goes.
func checkProtectedExpiry(config, plan, state branchModel, diags *diag.Diagnostics) {
	isChanged := !kit.AtSameInstant(plan.ExpiresAt, state.ExpiresAt) || !plan.ExpiresIn.Equal(state.ExpiresIn)
	if !config.Protected.IsNull() || !plan.Protected.ValueBool() || !isChanged {
		return
	}
	for name, expiry := range map[string]attr.Value{"expires_at": plan.ExpiresAt, "expires_in": plan.ExpiresIn} {
		if kit.IsSet(expiry) {
			diags.AddAttributeError(path.Root(name), "Protected branches can't expire ("+state.ID.ValueString()+")",
				fmt.Sprintf("Branch %s (%s) is protected, and stays so where "+
					"protected is left out. %s", state.ID.ValueString(), kit.Quoted(state.Name.ValueString()), howToExpire))
		}
	}
}
