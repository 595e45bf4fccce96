// Package organization is an organization: what projects belong to, and whose members may
// see and change them. It is created and changed in Neon's console alone.
package organization

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ = kit.Introduce(kit.Noun{
	Called: "organization", ListedBy: "organizations", NamedIn: "org_id", Advise: adviseUnknown,
	InMessages: map[string]string{"org_id": "organization not found"},
	IDs: kit.IDs{Prefix: "org-", Example: "org-wispy-meadow-12345678",
		In: []string{"org_id", "source_org_id", "destination_org_id"}},
})

// adviseUnknown says where the id of an organization comes from that Neon doesn't find.
func adviseUnknown(err error) string {
	var answer *client.Error
	if !errors.As(err, &answer) || answer.StatusCode != http.StatusNotFound ||
		!strings.HasPrefix(answer.Message, "organization not found") {
		return ""
	}
	return "Check the organization's id, which comes from org_id here, from that of the provider block or from " +
		"NEON_ORG_ID, and that the API key is of one of its members. The data source neon_organizations lists those that " +
		"it can see."
}

// NewDataSource returns neon_organization: one organization.
func NewDataSource() datasource.DataSource {
	return kit.NewObjectSource(kit.ObjectSource[given, client.Organization]{
		Name: "organization", Text: "An organization by its id.", Returns: returned,
		Given: map[string]schema.Attribute{
			"org_id": kit.OrganizationID("Id of the organization. Defaults to the provider's `org_id`."),
		},
		Read: readOne,
	})
}

// NewListDataSource returns neon_organizations: those that an API key can see.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Organization]{
		Name: "organizations", Returns: returned,
		Text: "The organizations of the user whose personal API key is configured, or the one that owns another kind of " +
			"key, in Neon's order.",
	}, nil, func(ctx context.Context, run kit.Run, _ *struct{}) iter.Seq2[client.Organization, error] {
		return run.API.ListOrganizations(ctx)
	})
}

func returned(organization client.Organization) kit.Returned {
	return kit.Returned{
		"id":     kit.Returns("Id of the organization.", types.StringValue(organization.ID)),
		"name":   kit.Returns("Name of the organization.", types.StringValue(organization.Name)),
		"handle": kit.Returns("Name of the organization in addresses.", kit.OptionalString(organization.Handle)),
		"plan": kit.Returns("Plan of the organization, such as `launch` or `scale`.",
			kit.OptionalString(organization.Plan)),
		"managed_by": kit.Returns("Where the organization is managed, such as `console`.",
			kit.OptionalString(organization.ManagedBy)),
		"allow_hipaa_projects": kit.Returns("Whether its projects can be made compliant with HIPAA.",
			types.BoolValue(organization.AllowHIPAAProjects)),
		"require_mfa": kit.Returns("Whether its members need a second factor to log in.",
			types.BoolValue(organization.RequireMFA)),
		"created_at": kit.Returns("When the organization was created.", kit.OptionalTime(&organization.CreatedAt)),
		"updated_at": kit.Returns("When the organization last changed.", kit.OptionalTime(&organization.UpdatedAt)),
	}
}

type given struct {
	OrgID types.String `tfsdk:"org_id"`
}

func readOne(ctx context.Context, run kit.Run, given *given) *client.Organization {
	given.OrgID = run.NeedOrganization(given.OrgID, run.Diags)
	if run.Diags.HasError() {
		return nil
	}
	organization, err := run.API.GetOrganization(ctx, given.OrgID.ValueString())
	if err != nil {
		kit.AddReadError(run.Diags, "org_id", "organization", err)
	}
	return organization
}
