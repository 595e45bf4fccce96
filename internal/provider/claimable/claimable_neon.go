package claimable

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// presence is what a read has found out.
type presence int

const (
	// unread: the read has failed, and added an error.
	unread presence = iota
	there
	gone
)

// The states of a claim that change what a database is.
const (
	claimPending    = "pending"
	claimAccepted   = "accepted"
	claimReconciled = "reconciled"
)

// claimInProgress is the code of a refusal because somebody takes the project over.
const claimInProgress = "claim_in_progress"

var capabilityTypes = map[string]attr.Type{
	"granted": types.BoolType, "reason": types.StringType, "url": types.StringType, "jwks_url": types.StringType,
}

func capabilitiesAttribute() schema.Attribute {
	text := func(text string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true}
	}
	return schema.MapNestedAttribute{
		MarkdownDescription: "What Claimable Neon decided about PostgreSQL and each of the `services`, by their names. It " +
			"is decided at the creation only. Null for an `instant` database.",
		Computed:      true,
		PlanModifiers: []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"granted": schema.BoolAttribute{MarkdownDescription: "Whether the database has it, as decided at the " +
				"creation only.", Computed: true},
			"reason": text("Why it doesn't, such as `requires_claim`, as decided at the creation only; null if it does."),
			"url": text("Address of the Data API, or the base address of Neon Auth; null for others, and once the " +
				"database is claimed. Until then it stays what it was."),
			"jwks_url": text("Where Neon Auth publishes the keys that prove its tokens; null for others, and once the " +
				"database is claimed. Until then it stays what it was."),
		}},
	}
}

// take fills in what a service said of the database that it has created.
func (m *resourceModel) take(ctx context.Context, made *made, diags *diag.Diagnostics) {
	m.Engine = types.StringValue(string(made.service))
	m.Capabilities, m.IdentityAssertion = types.MapNull(types.ObjectType{AttrTypes: capabilityTypes}), types.StringNull()
	if made.database != nil {
		m.dataModel = newDataModel(made.database)
		return
	}
	p, now := made.project, time.Now()
	m.dataModel = dataModel{
		access: access{ID: types.StringValue(p.RegistrationID), ProjectID: types.StringValue(p.Project.ID),
			ClaimURL: kit.OptionalString(p.Claim.StartURL)},
		Status:    types.StringValue(client.ClaimableUnclaimed),
		ExpiresAt: kit.OptionalTime(p.Project.ExpiresAt), CreatedAt: kit.OptionalTime(&now),
		UpdatedAt: kit.OptionalTime(&now),
	}
	m.IdentityAssertion = types.StringValue(p.IdentityAssertion)
	decided := map[string]capability{}
	for _, decision := range p.Capabilities {
		decided[decision.Name] = capability{Granted: types.BoolValue(decision.Granted),
			Reason: kit.OptionalString(decision.Reason)}
	}
	m.setCapabilities(ctx, decided, diags)
}

// capability is one of capabilities.
type capability struct {
	Granted types.Bool   `tfsdk:"granted"`
	Reason  types.String `tfsdk:"reason"`
	URL     types.String `tfsdk:"url"`
	JWKSURL types.String `tfsdk:"jwks_url"`
}

func (m *resourceModel) setCapabilities(ctx context.Context, decided map[string]capability, diags *diag.Diagnostics) {
	value, problems := types.MapValueFrom(ctx, types.ObjectType{AttrTypes: capabilityTypes}, decided)
	diags.Append(problems...)
	m.Capabilities = value
}

func (m *resourceModel) identity() client.ClaimableIdentity {
	return client.ClaimableIdentity{ProjectID: m.ProjectID.ValueString(), Assertion: m.IdentityAssertion.ValueString()}
}

// readCredentials fills in the ways into the database. Kept is what is in the state all the same, empty for nothing.
func (m *resourceModel) readCredentials(
	ctx context.Context, api *client.Client, kept string, diags *diag.Diagnostics,
) {
	credentials, err := api.GetClaimableCredentials(ctx, m.identity())
	if err != nil {
		if kept != "" {
			err = kit.Kept(err, kept)
		}
		kit.AddError(diags, "Unable to read the connection string of the claimable database", err)
		return
	}
	m.takeCredentials(ctx, credentials, diags)
}

func (m *resourceModel) takeCredentials(
	ctx context.Context, credentials *client.ClaimableCredentials, diags *diag.Diagnostics,
) {
	m.ConnectionString = kit.OptionalString(credentials.DatabaseURL)
	m.DirectConnectionString = kit.OptionalString(client.DirectConnectionString(credentials.DatabaseURL))
	decided := map[string]capability{}
	diags.Append(m.Capabilities.ElementsAs(ctx, &decided, false)...)
	for name, of := range decided {
		switch name {
		case "data_api":
			of.URL = kit.OptionalString(credentials.Services.DataAPI.URL)
		case "auth":
			of.URL, of.JWKSURL = kit.OptionalString(credentials.Services.Auth.BaseURL),
				kit.OptionalString(credentials.Services.Auth.JWKSURL)
		}
		decided[name] = of
	}
	m.setCapabilities(ctx, decided, diags)
}

// hasExpired reports whether the time is over in which the database could be claimed.
func (m *resourceModel) hasExpired(ctx context.Context, api *client.Client) bool {
	if m.ExpiresAt.IsNull() || m.Status.ValueString() == client.ClaimableClaimed {
		return false
	}
	expires, diags := m.ExpiresAt.ValueRFC3339Time()
	return !diags.HasError() && api.Now(ctx).After(expires)
}

// readClaimableNeon reads a database from Claimable Neon. Once it is claimed, Terraform can't read it any more, and no
// new one is planned.
func (m *resourceModel) readClaimableNeon(ctx context.Context, api *client.Client, diags *diag.Diagnostics) presence {
	if m.IdentityAssertion.IsNull() {
		return there
	}
	state, err := api.GetClaimableClaimState(ctx, m.identity())
	switch end := client.ClaimEndOf(err); {
	case end == client.ClaimExpired:
		return gone
	case end == client.ClaimRevoked && m.hasExpired(ctx, api) && m.isBegun():
		return there // It may be somebody's.
	case end == client.ClaimRevoked && m.hasExpired(ctx, api):
		diags.AddWarning(m.about("Claimable database has ended"), "It has expired, or was claimed since it was last read. "+
			"If it was claimed, it is project "+m.ProjectID.ValueString()+" of an account: remove this resource from the "+
			"configuration, so that no new database is created.")
		return gone
	case end != client.ClaimNone:
		m.forget(ctx, diags)
		return there
	case err != nil:
		kit.AddError(diags, "Unable to read claimable database", err)
		return unread
	}
	m.Status = types.StringValue(client.ClaimableUnclaimed)
	switch state {
	case claimAccepted, claimReconciled:
		m.forget(ctx, diags)
		return there
	case claimPending:
		m.Status = types.StringValue(client.ClaimableClaiming)
	}
	return m.readWaysIn(ctx, api, diags)
}

// isBegun reports whether somebody has begun to take the database into an account when it was last read, which ends its
// password.
func (m *resourceModel) isBegun() bool {
	return m.Status.ValueString() == client.ClaimableClaiming && m.ConnectionString.IsNull()
}

// readWaysIn reads the credentials, which there are none of once somebody has begun to claim the database.
func (m *resourceModel) readWaysIn(ctx context.Context, api *client.Client, diags *diag.Diagnostics) presence {
	credentials, err := api.GetClaimableCredentials(ctx, m.identity())
	switch {
	case err == nil:
		m.takeCredentials(ctx, credentials, diags)
	case isBeingClaimed(err):
		m.Status = types.StringValue(client.ClaimableClaiming)
		m.ConnectionString, m.DirectConnectionString = types.StringNull(), types.StringNull()
	default:
		kit.AddError(diags, "Unable to read claimable database", err)
		return unread
	}
	return there
}

// isBeingClaimed reports whether Claimable Neon refuses a call because somebody takes the project over, or began to and
// gave it up.
func isBeingClaimed(err error) bool {
	return client.HasCode(err, claimInProgress) || client.HasCode(err, "scope_insufficient")
}

// forget drops what a claim has ended: passwords, tokens, addresses and the assertion.
func (m *resourceModel) forget(ctx context.Context, diags *diag.Diagnostics) {
	m.Status, m.IdentityAssertion = types.StringValue(client.ClaimableClaimed), types.StringNull()
	m.takeCredentials(ctx, &client.ClaimableCredentials{}, diags)
}

// deleteClaimableNeon deletes the database. One that has ended already is deleted, unless somebody has it now.
func (m *resourceModel) deleteClaimableNeon(ctx context.Context, api *client.Client, diags *diag.Diagnostics) {
	err := api.DeleteClaimableProject(ctx, m.identity())
	switch end := client.ClaimEndOf(err); {
	case end == client.ClaimExpired:
	case end != client.ClaimNone:
		diags.AddWarning(m.about("Claimable database wasn't deleted"), "It was claimed, has expired or was deleted "+
			"already. If somebody has claimed it, it stays in that account: delete project "+m.ProjectID.ValueString()+
			" there if nobody needs it.")
	case isBeingClaimed(err):
		kit.AddError(diags, "The claimable database is being claimed", kit.Advise(err, "Somebody is taking it into an "+
			"account, or began to, and Neon deletes it no more. Wait, and destroy again once it was claimed or has expired "+
			"(at "+m.ExpiresAt.ValueString()+"); or forget it with terraform state rm."))
	case err != nil:
		kit.AddError(diags, "Unable to delete claimable database", err)
	}
}
