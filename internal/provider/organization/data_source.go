// Package organization is an organization: what projects belong to, and whose members may
// see and change them. It is created and changed in Neon's console alone.
package organization

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var _ = kit.Introduce(kit.Noun{
	Called: "organization", ListedBy: "organizations", Advise: adviseUnknown,
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
	attributes := returnedAttributes()
	attributes["org_id"] = kit.OrganizationID("Id of the organization. Defaults to the provider's `org_id`.")
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name:   "organization",
		Schema: schema.Schema{MarkdownDescription: "An organization by its id.", Attributes: attributes},
		Read:   readOne,
	})
}

// NewListDataSource returns neon_organizations: those that the API key can see.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSource(kit.ListSource[client.Organization, returned]{
		Name: "organizations", Called: "organizations", Attribute: "organizations", Objects: "The organizations.",
		Model: newReturned,
		Text: "The organizations of the user whose personal API key is configured, or the one that owns another kind of " +
			"key, in Neon's order.",
		Schema: returnedAttributes(),
	}, nil, func(
		ctx context.Context, platform *kit.Platform, _ *struct{}, _ *diag.Diagnostics,
	) iter.Seq2[client.Organization, error] {
		return platform.Client.ListOrganizations(ctx)
	})
}

func returnedAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":                   kit.ReturnedString("Id of the organization."),
		"name":                 kit.ReturnedString("Name of the organization."),
		"handle":               kit.ReturnedString("Name of the organization in addresses."),
		"plan":                 kit.ReturnedString("Plan of the organization, such as `launch` or `scale`."),
		"managed_by":           kit.ReturnedString("Where the organization is managed, such as `console`."),
		"allow_hipaa_projects": kit.ReturnedBool("Whether its projects can be made compliant with HIPAA."),
		"require_mfa":          kit.ReturnedBool("Whether its members need a second factor to log in."),
		"created_at":           kit.ReturnedTime("When the organization was created."),
		"updated_at":           kit.ReturnedTime("When the organization last changed."),
	}
}

type dataModel struct {
	OrgID types.String `tfsdk:"org_id"`
	returned
}

type returned struct {
	ID                 types.String      `tfsdk:"id"`
	Name               types.String      `tfsdk:"name"`
	Handle             types.String      `tfsdk:"handle"`
	Plan               types.String      `tfsdk:"plan"`
	ManagedBy          types.String      `tfsdk:"managed_by"`
	AllowHIPAAProjects types.Bool        `tfsdk:"allow_hipaa_projects"`
	RequireMFA         types.Bool        `tfsdk:"require_mfa"`
	CreatedAt          timetypes.RFC3339 `tfsdk:"created_at"`
	UpdatedAt          timetypes.RFC3339 `tfsdk:"updated_at"`
}

func newReturned(organization client.Organization) returned {
	return returned{
		ID:                 types.StringValue(organization.ID),
		Name:               types.StringValue(organization.Name),
		Handle:             kit.OptionalString(organization.Handle),
		Plan:               kit.OptionalString(organization.Plan),
		ManagedBy:          kit.OptionalString(organization.ManagedBy),
		AllowHIPAAProjects: types.BoolValue(organization.AllowHIPAAProjects),
		RequireMFA:         types.BoolValue(organization.RequireMFA),
		CreatedAt:          kit.OptionalTime(&organization.CreatedAt),
		UpdatedAt:          kit.OptionalTime(&organization.UpdatedAt),
	}
}

func readOne(ctx context.Context, platform *kit.Platform, m *dataModel, diags *diag.Diagnostics) {
	m.OrgID = platform.NeedOrganization(m.OrgID, diags)
	if diags.HasError() {
		return
	}
	organization, err := platform.Client.GetOrganization(ctx, m.OrgID.ValueString())
	if err != nil {
		kit.AddReadError(diags, "org_id", "organization", err)
		return
	}
	m.returned = newReturned(*organization)
}
