package apikey

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var orgNoun = kit.Introduce(kit.Noun{Called: "organization API key", ListedBy: "org_api_keys"})

var orgKey = kit.KeyInOrganization("An API key of an organization", "1234567",
	kit.KeyPart{Name: "id", Description: idText, Valid: isKeyID})

// NewOrgResource returns neon_org_api_key: an API key of an organization, or of one of its
// projects.
func NewOrgResource() resource.Resource {
	return kit.NewResource(kit.Resource[keyModel]{
		Name:     "org_api_key",
		First:    "created_at created_by id key name org_id project_id rotation_triggers",
		Called:   orgNoun.Called,
		ListedBy: orgNoun.ListedBy,
		Key:      orgKey,
		Schema: schema.Schema{
			MarkdownDescription: "An API key of an organization, or with `project_id` one for a single project. Destroying it " +
				"revokes the key for good.",
			Attributes: orgAttributes(),
		},
		MovedFrom: map[string]string{"kislerdm/neon": "neon_org_api_key",
			"kenchan0130/neon": "neon_organization_api_key", "neondatabase/neon": "neon_org_api_key"},
		MovedTexts: []string{"key"},
		Plan: func(ctx context.Context, p kit.Planning) {
			kit.PlanOrganization(ctx, p)
			warnOfRevocation(ctx, p, widened(ctx, p), "name", "org_id", "project_id")
		},
		Create: func(ctx context.Context, run kit.Run, plan keyModel, save func(keyModel)) error {
			return plan.create(ctx, run, plan.scope(), func() { save(plan) })
		},
		Read: func(ctx context.Context, run kit.Run, state keyModel) (keyModel, error) {
			key, err := state.refresh(ctx, run, state.scope())
			if err == nil {
				state.ProjectID = kit.OptionalString(key.ProjectID)
			}
			return state, err
		},
		Delete: func(ctx context.Context, run kit.Run, state keyModel) error {
			return run.API.RevokeAPIKey(ctx, state.scope(), state.number())
		},
	})
}

func orgAttributes() map[string]schema.Attribute {
	attributes := personalAttributes()
	attributes["org_id"] = kit.OwnOrganizationID()
	attributes["project_id"] = kit.OptionalImmutableString("Id of the one project that the key may work in. A new key "+
		"without it may do everything in all projects of the organization.", kit.IDValidators()...)
	return attributes
}

// widened returns a warning if the configuration drops project_id, so that the new key has more permissions than the
// one that it replaces; otherwise it returns "".
func widened(ctx context.Context, p kit.Planning) string {
	var configured types.String
	p.Diags.Append(p.Config.GetAttribute(ctx, path.Root("project_id"), &configured)...)
	present := p.TextOf("project_id")
	if present == "" || !configured.IsNull() {
		return ""
	}
	return fmt.Sprintf(" As project_id is left out, the new key may do everything in all projects of the organization. "+
		"For one of the same project, write\n\n  project_id = %s", kit.Quoted(present))
}
