package apikey

import (
	"context"
	"fmt"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewEphemeral returns the ephemeral resource neon_api_key: a personal key for one run.
func NewEphemeral() ephemeral.EphemeralResource {
	return kit.NewForRun(kit.ForRun[personalEphemeralModel, openedKey]{Name: "api_key", Noun: "API key", Close: revoke,
		Schema: schema.Schema{
			MarkdownDescription: "A personal API key for one run. It is revoked at the end of the plan or apply, even when " +
				"that fails. Neither the state nor a plan file ever holds it. It has all permissions of its user, in all " +
				"organizations.",
			Attributes: ephemeralAttributes(),
		}, Open: func(ctx context.Context, run kit.Run, model *personalEphemeralModel) *openedKey {
			return model.open(ctx, run, client.APIKeyScope{})
		}})
}

// NewOrgEphemeral returns the ephemeral resource neon_org_api_key: an organization's key for one run.
func NewOrgEphemeral() ephemeral.EphemeralResource {
	attributes := ephemeralAttributes()
	attributes["org_id"] = kit.OrganizationID("Id of the organization. Defaults to the provider's `org_id`.")
	attributes["project_id"] = kit.OptionalID("Id of the one project that the key may work in. Without it the key may " +
		"do everything in all projects of the organization.")
	return kit.NewForRun(kit.ForRun[ephemeralModel, openedKey]{Name: "org_api_key", Noun: "API key", Close: revoke,
		Schema: schema.Schema{
			MarkdownDescription: "An API key of an organization for one run, or with `project_id` one for a single project. " +
				"It is revoked at the end of the plan or apply, even when that fails. Neither the state nor a plan file ever " +
				"holds it.",
			Attributes: attributes,
		}, Open: func(ctx context.Context, run kit.Run, model *ephemeralModel) *openedKey {
			if model.OrgID = run.NeedOrganization(model.OrgID, run.Diags); run.Diags.HasError() {
				return nil
			}
			return model.open(ctx, run, client.APIKeyScope{OrgID: model.OrgID.ValueString(),
				ProjectID: model.ProjectID.ValueString()})
		}})
}

func ephemeralAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": kit.RequiredText("Name of the key, 1 to 64 characters. Names need not be unique, but give runs that may "+
			"overlap names of their own, so that their keys can be told apart.", stringvalidator.UTF8LengthBetween(1, 64)),
		"id":  kit.ReturnedString(idText),
		"key": kit.ReturnedSecret("The secret token."),
	}
}

// personalEphemeralModel is the model of neon_api_key.
type personalEphemeralModel struct {
	Name types.String `tfsdk:"name"`
	ID   types.String `tfsdk:"id"`
	Key  types.String `tfsdk:"key"`
}

// ephemeralModel is the model of neon_org_api_key.
type ephemeralModel struct {
	personalEphemeralModel

	OrgID     types.String `tfsdk:"org_id"`
	ProjectID types.String `tfsdk:"project_id"`
}

func (m *personalEphemeralModel) open(ctx context.Context, run kit.Run, scope client.APIKeyScope) *openedKey {
	created, err := run.API.CreateAPIKey(ctx, scope, m.Name.ValueString())
	if err != nil {
		kit.AddError(run.Diags, "Unable to create API key", adviseCreation(err))
		return nil
	}
	warnOfNamesakes(run.Diags, created)
	key := &created.Object
	m.ID, m.Key = types.StringValue(strconv.FormatInt(key.ID, 10)), types.StringValue(key.Key)
	return newOpenedKey(key, scope)
}

// warnOfNamesakes warns of keys with the same name. A run that was killed may have left them unrevoked.
func warnOfNamesakes(diags *diag.Diagnostics, created *client.Answer[client.APIKey]) {
	if len(created.Namesakes) == 0 {
		return
	}
	diags.AddWarning("Other API keys of the same name", fmt.Sprintf(
		"API key %d was created for this run. These keys are named %s too: they belong to runs that go on at the same "+
			"time, or were left by a run that was killed. Look at them in the web console before you revoke any there: %s.",
		created.Object.ID, kit.Quoted(created.Object.Name), client.DescribeAPIKeys(created.Namesakes)))
}
