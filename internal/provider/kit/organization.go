package kit

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// OwnOrganizationID is the organization of a resource, which never changes. Its plan needs
// [PlanOrganization], also where nothing else changes.
func OwnOrganizationID() schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: "Id of the organization. Defaults to the provider's `org_id` at the creation; an existing " +
			"object keeps its organization. Changing it replaces the resource.",
		Optional:      true,
		Computed:      true,
		Validators:    IDValidators(),
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
	}
}

// PlanOrganization sets the organization of a new resource to the provider's. A resource that
// exists keeps its own: whoever plans may have another default.
func PlanOrganization(ctx context.Context, p Planning) {
	if p.IsDestruction() || p.Platform == nil {
		return
	}
	org := path.Root("org_id")
	configured := Get[types.String](ctx, p.Config, org, p.Diags)
	current := Get[types.String](ctx, p.State, org, p.Diags)
	switch {
	case p.Diags.HasError(), !configured.IsNull():
	case !current.IsNull():
		if p.OrgID != "" && p.OrgID != current.ValueString() {
			p.Diags.AddAttributeWarning(org, "Belongs to another organization", fmt.Sprintf(
				"This resource belongs to organization %[1]s and stays there. The provider's organization is %[2]s (its org_id, "+
					"or NEON_ORG_ID) and counts for new ones only, also for one that replaces this. To keep the organization even "+
					"then, set org_id = %[1]q.", current.ValueString(), p.OrgID))
		}
	case p.OrgID != "":
		p.Set(ctx, org, p.OrgID)
	case p.UnknownOf("org_id") == "":
		addNoOrganization(p.Diags)
	}
	if IsSet(configured) && IsSet(current) && !configured.Equal(current) { // The old object goes first.
		p.checkOrganization(ctx, configured.ValueString())
	}
}

// checkOrganization looks for the organization that a plan names.
func (p Planning) checkOrganization(ctx context.Context, id string) {
	p.LookUps(func(run Run) {
		_, err := LookUp(p.Platform, "organization "+id,
			func() (*client.Organization, error) { return run.API.GetOrganization(ctx, id) })
		if client.IsAbsent(err) {
			addMissing(run.Diags, "org_id", err)
		}
	})
}
