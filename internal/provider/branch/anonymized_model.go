package branch

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// anonymizedModel is the resource neon_anonymized_branch.
type anonymizedModel struct {
	ID              types.String      `tfsdk:"id"`
	ProjectID       types.String      `tfsdk:"project_id"`
	Name            types.String      `tfsdk:"name"`
	ParentID        types.String      `tfsdk:"parent_id"`
	ParentLSN       types.String      `tfsdk:"parent_lsn"`
	ParentTimestamp timetypes.RFC3339 `tfsdk:"parent_timestamp"`
	MaskingRules    types.Set         `tfsdk:"masking_rules"`
	Anonymize       types.Bool        `tfsdk:"anonymize"`
	Protected       types.Bool        `tfsdk:"protected"`
	ExpiresAt       timetypes.RFC3339 `tfsdk:"expires_at"`
	ExpiresIn       types.String      `tfsdk:"expires_in"`
	Endpoint        types.Object      `tfsdk:"endpoint"`
	State           types.String      `tfsdk:"state"`
	CreatedAt       timetypes.RFC3339 `tfsdk:"created_at"`
	Timeouts        timeouts.Value    `tfsdk:"timeouts"`
}

// outdated is our word for rules that nothing was masked by.
const outdated = "outdated"

var maskedEndpointType = maskedEndpointAttribute().GetType().(types.ObjectType) //nolint:forcetypeassert // It has no type of its own.

// branch is the model as that of an ordinary branch.
func (m anonymizedModel) branch() branchModel {
	return branchModel{
		attributes: attributes{ID: m.ID, ProjectID: m.ProjectID, Name: m.Name, ParentID: m.ParentID, Protected: m.Protected,
			ExpiresAt: m.ExpiresAt, CreatedAt: m.CreatedAt, ParentLSN: m.ParentLSN, ParentTimestamp: m.ParentTimestamp},
		ExpiresIn: m.ExpiresIn,
	}
}

func (m anonymizedModel) ref() client.BranchRef { return kit.RefOf[client.Branch](m.ProjectID, m.ID) }

// with returns the model with Neon's values of the branch; its configured origin stays.
func (m anonymizedModel) with(branch *client.Branch) anonymizedModel {
	expiring := m.branch().withExpiry(branch)
	m.ID, m.Name, m.ParentID = types.StringValue(branch.ID), types.StringValue(branch.Name),
		configuredOr(m.ParentID, kit.OptionalString(branch.ParentID))
	m.Protected, m.CreatedAt = types.BoolValue(branch.Protected), timetypes.NewRFC3339TimeValue(branch.CreatedAt.UTC())
	m.ExpiresAt, m.ExpiresIn = expiring.ExpiresAt, expiring.ExpiresIn
	return m
}

// withEndpoint returns the model with its endpoint, or else with the branch's read_write endpoint, if there is one.
func (m anonymizedModel) withEndpoint(endpoints []client.Endpoint) anonymizedModel {
	id := kit.Decode[compute.Endpoint](m.Endpoint).ID.ValueString()
	m.Endpoint = types.ObjectNull(maskedEndpointType.AttrTypes)
	for _, endpoint := range endpoints {
		if endpoint.ID == id || id == "" && endpoint.Type == client.EndpointReadWrite {
			m.Endpoint = kit.Encode(compute.NewEndpoint(&endpoint), maskedEndpointType)
		}
	}
	return m
}

// create is the request that creates the branch, without protection: one whose creation fails must be replaceable.
func (m anonymizedModel) create(expiry *time.Time) client.BranchCreate {
	return client.BranchCreate{
		Name: m.Name.ValueString(), ParentID: m.ParentID.ValueString(), ParentLSN: m.ParentLSN.ValueString(),
		ParentTimestamp: kit.Instant(m.ParentTimestamp), ExpiresAt: expiry,
	}
}

// created is the planned branch as it is when it has just been created.
func (m anonymizedModel) created(made client.NewBranch) anonymizedModel {
	m = m.with(&made.Branch).withEndpoint(made.Endpoints)
	m.ParentID = kit.Known(m.ParentID, kit.OptionalString(made.ParentID))
	m.State = types.StringValue("created")
	return m
}

// isImported reports whether only the key is known.
func (m anonymizedModel) isImported() bool { return m.Name.IsNull() }

// masks is what Neon returns of a branch that has masking rules.
type masks struct {
	endpoints []client.Endpoint
	rules     []client.MaskingRule
	status    *client.Anonymization
}

// readMasks reads all of a branch but the branch itself.
func readMasks(ctx context.Context, api *client.Client, branch client.BranchRef, endpointIDs ...string) (masks, error) {
	var found masks
	var endpointsErr, rulesErr, err error
	var reading sync.WaitGroup
	reading.Go(func() {
		found.endpoints, endpointsErr = api.ListSharedEndpoints(ctx, branch, endpointIDs...)
	})
	reading.Go(func() { found.rules, rulesErr = api.ListMaskingRules(ctx, branch) })
	found.status, err = api.GetAnonymization(ctx, branch)
	reading.Wait()
	return found, cmp.Or(endpointsErr, rulesErr, err)
}

// refreshed returns the state as Neon has it. Rules that somebody else has changed may never have masked anything.
func (m anonymizedModel) refreshed(branch *client.Branch, found masks) anonymizedModel {
	before, isImported := m, m.isImported()
	m = m.with(branch).withEndpoint(found.endpoints)
	m.MaskingRules, m.State = rulesValue(found.rules), types.StringValue(found.status.State)
	switch {
	case isImported:
		m.Anonymize = types.BoolValue(found.status.State != client.AnonymizationInitialized)
	case before.State.ValueString() == outdated, !before.MaskingRules.Equal(m.MaskingRules):
		m.State = types.StringValue(outdated)
	}
	return m
}
