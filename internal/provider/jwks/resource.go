// Package jwks is a JWKS URL: the address of an authentication provider's keys, with which Neon verifies the tokens of
// a project's users.
package jwks

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var noun = kit.Introduce(kit.Noun{Called: "JWKS URL", ListedBy: "jwks_urls"})

var key = kit.KeyInProject("A JWKS URL", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
	kit.KeyPart{Name: "id", Description: idText, Valid: kit.IsID("id")})

const (
	idText       = "Id of the JWKS URL."
	urlText      = "Address of the keys, which begins with `https://`."
	providerText = "Name of the authentication provider, such as `Clerk` or `Auth0`."
	branchText   = "Id of the branch whose users' tokens are verified with the keys."
	audienceText = "Audience of the tokens: tokens for another audience are refused, tokens without one are accepted."
	rolesText    = "Names of the PostgreSQL roles that the tokens are for, at most 10. Deprecated by Neon: only for " +
		"Neon RLS."
	createdText = "When the JWKS URL was added."
)

// NewResource returns the managed resource neon_jwks_url.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "jwks_url",
		First:    "branch_id created_at id jwks_url jwt_audience project_id provider_name role_names timeouts",
		Called:   noun.Called,
		ListedBy: noun.ListedBy,
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "Lets a project trust the tokens of an authentication provider, whose keys are published at " +
				"an address (JWKS). Neon reads it at the creation, so publish the keys first. Without `role_names`, Neon may " +
				"create the roles `authenticator`, `authenticated` and `anonymous`.",
			Attributes: attributes(),
		},
		MovedFrom: map[string]string{"kislerdm/neon": "neon_jwks_url", "neondatabase/neon": "neon_jwks_url",
			"kenchan0130/neon": "neon_project_jwks"},
		FindAgain: findAgain,
		Plan:      plan,
		Create:    create,
		Read:      read,
		Delete:    remove,
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"jwks_url": kit.ImmutableString(urlText,
			stringvalidator.RegexMatches(regexp.MustCompile(`^https://[^\s/]\S*$`), "must be an address that begins with "+
				"https://")),
		"provider_name": kit.ImmutableString(providerText, kit.NotEmpty()...),
		"branch_id":     kit.OptionalFollowedBranch(branchText + " Defaults to all branches."),
		"jwt_audience":  kit.OptionalImmutableString(audienceText+" Defaults to any.", kit.NotEmpty()...),
		"role_names": schema.SetAttribute{
			MarkdownDescription: rolesText + " Defaults to what Neon chooses, as an empty list does. Where `role_names` is " +
				"removed, the names stay: to have Neon choose, set `[]`. Changing it replaces the resource; after an import that " +
				"couldn't read them, configured names are only recorded.",
			Optional:    true,
			Computed:    true,
			ElementType: types.StringType,
			Validators: []validator.Set{setvalidator.SizeAtMost(10), kit.NoNulls{},
				setvalidator.ValueStringsAre(kit.NotEmpty()...)},
			PlanModifiers: []planmodifier.Set{
				setplanmodifier.UseStateForUnknown(), chosenRoles{},
				setplanmodifier.RequiresReplaceIf(replacesRoles, "Other roles replace the resource.", "Other roles replace the "+
					"resource."),
			},
		},
		"id":         kit.ComputedString(idText),
		"created_at": kit.ComputedTime(createdText),
		"timeouts":   kit.Timeouts(timeouts.Opts{Create: true}),
	}
}

// plan warns that Neon refuses the provider's tokens during a replacement.
func plan(ctx context.Context, p kit.Planning) {
	id, provider := p.TextOf("id"), p.TextOf("provider_name")
	replacing := []string{"project_id", "jwks_url", "provider_name", "jwt_audience"}
	var roles types.Set
	if !p.IsCreation() {
		p.Diags.Append(p.State.GetAttribute(ctx, path.Root("role_names"), &roles)...)
	}
	if !roles.IsNull() {
		replacing = append(replacing, "role_names")
	}
	p.WarnOfLoss(ctx, replacing, "Tokens will be refused meanwhile ("+id+")", fmt.Sprintf("until the new "+
		"JWKS URL is there, Neon refuses the tokens of %s, and what logs in with them fails.",
		kit.Quoted(provider)))
}

// chosenRoles keeps Neon's own choice of roles, which an import has read, if role_names is an empty list.
type chosenRoles struct{ kit.Unsaid }

// PlanModifySet keeps the state's roles in that case.
func (chosenRoles) PlanModifySet(_ context.Context, req planmodifier.SetRequest, resp *planmodifier.SetResponse) {
	isEmpty := kit.IsSet(req.PlanValue) && len(req.PlanValue.Elements()) == 0
	if isEmpty && req.StateValue.Equal(kit.SetOf([]string{"authenticator", "authenticated", "anonymous"})) {
		resp.PlanValue = req.StateValue
	}
}

// replacesRoles replaces the resource when its roles change, unless they are unknown, as after an import.
func replacesRoles(
	_ context.Context, req planmodifier.SetRequest, resp *setplanmodifier.RequiresReplaceIfFuncResponse,
) {
	resp.RequiresReplace = !req.StateValue.IsNull()
}

type model struct {
	ProjectID    types.String      `tfsdk:"project_id"`
	ID           types.String      `tfsdk:"id"`
	URL          types.String      `tfsdk:"jwks_url"`
	ProviderName types.String      `tfsdk:"provider_name"`
	BranchID     types.String      `tfsdk:"branch_id"`
	Audience     types.String      `tfsdk:"jwt_audience"`
	RoleNames    types.Set         `tfsdk:"role_names"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
	Timeouts     timeouts.Value    `tfsdk:"timeouts"`
}

// with returns the model with the values of Neon's JWKS URL.
func (m model) with(jwks *client.JWKS) model {
	m.ID = types.StringValue(jwks.ID)
	m.URL = types.StringValue(jwks.URL)
	m.ProviderName = types.StringValue(jwks.ProviderName)
	m.BranchID = kit.OptionalString(jwks.BranchID)
	m.Audience = kit.OptionalString(jwks.Audience)
	chosenByNeon := !m.RoleNames.IsUnknown() && !m.RoleNames.IsNull() && len(m.RoleNames.Elements()) == 0
	isSaid := len(jwks.RoleNames) > 0 // If none are configured, Neon chooses some.
	if !chosenByNeon && (isSaid || m.RoleNames.IsUnknown()) {
		m.RoleNames = kit.SetOf(jwks.RoleNames)
	}
	m.CreatedAt = kit.OptionalTime(&jwks.CreatedAt)
	return m
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	projectID := plan.ProjectID.ValueString()
	added, err := run.API.CreateJWKS(ctx, projectID, client.JWKSAdd{
		URL: plan.URL.ValueString(), ProviderName: plan.ProviderName.ValueString(),
		BranchID: plan.BranchID.ValueString(), Audience: plan.Audience.ValueString(),
		RoleNames: kit.Texts(plan.RoleNames.Elements()),
	})
	if client.IsRefused(err) {
		return adviseRefusal(ctx, run.API, plan, err)
	}
	if err != nil {
		return err
	}
	save(plan.with(&added.Object))
	warnOfNamesakes(run, projectID, added)
	return run.API.WaitForOperations(ctx, projectID, added.Operations)
}

// adviseRefusal says what must be at the address, and how to import a JWKS URL that exists already.
func adviseRefusal(ctx context.Context, api *client.Client, plan model, refusal error) error {
	advice := "Neon reads jwks_url when it is added: a JSON Web Key Set must be there that everybody can read over " +
		"HTTPS. If it is, check the values in the configuration."
	present, _ := client.All(api.ListJWKS(ctx, plan.ProjectID.ValueString()))
	same := slices.DeleteFunc(present, func(jwks client.JWKS) bool {
		return jwks.URL != plan.URL.ValueString() || jwks.BranchID != plan.BranchID.ValueString()
	})
	if len(same) > 0 {
		advice += " The project has the same address already: unless it is managed elsewhere, import it.\n\n" +
			importBlocks(plan.ProjectID.ValueString(), same)
	}
	return kit.Advise(refusal, advice)
}

// warnOfNamesakes warns of equal JWKS URLs that existed before: a killed run may have left them.
func warnOfNamesakes(run kit.Run, projectID string, added *client.Answer[client.JWKS]) {
	if len(added.Namesakes) > 0 {
		run.Warn("Another of the same JWKS URL", fmt.Sprintf("%s of %s was added. The same was there before; nothing is "+
			"wrong where this run replaces it, or another resource manages it. Otherwise a run that was killed may have left "+
			"it, and this takes it into a resource of its own:\n\n%s",
			added.Object.URL, added.Object.ProviderName, importBlocks(projectID, added.Namesakes)))
	}
}

func importBlocks(projectID string, list []client.JWKS) string {
	return kit.ImportBlocks("neon_jwks_url",
		kit.TextsOf(list, func(jwks client.JWKS) string { return projectID + "/" + jwks.ID }))
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedJWKS(ctx, kit.RefOf[client.JWKS](state.ProjectID, state.ID)))
}

// findAgain finds an equal JWKS URL of another branch.
func findAgain(ctx context.Context, run kit.Run, state model, branchID types.String) (model, error) {
	projectID := state.ProjectID.ValueString()
	all, err := client.All(run.API.ListJWKS(ctx, projectID))
	if err != nil {
		return model{}, err
	}
	for _, jwks := range all {
		if jwks.URL == state.URL.ValueString() && jwks.ProviderName == state.ProviderName.ValueString() &&
			jwks.BranchID == branchID.ValueString() && jwks.Audience == state.Audience.ValueString() {
			return state.with(&jwks), nil
		}
	}
	return model{}, &client.AbsentError{What: fmt.Sprintf("project %s has no JWKS URL %s for branch %s", projectID,
		state.URL.ValueString(), branchID.ValueString())}
}

func remove(ctx context.Context, run kit.Run, state model) error {
	return run.API.DeleteJWKS(ctx, kit.RefOf[client.JWKS](state.ProjectID, state.ID))
}

// NewListResource returns the list resource neon_jwks_url: the JWKS URLs of a project.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "jwks_url", key, "Lists the JWKS URLs of a project, in Neon's order.",
		(*client.Client).ListJWKS, model.with,
		func(jwks client.JWKS) (id, name string) { return jwks.ID, jwks.URL })
}

// NewListDataSource returns neon_jwks_urls: the JWKS URLs of a project.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfProject, kit.ListSource[client.JWKS]{
		Name: "jwks_urls", Called: "JWKS URLs", Returns: returned,
		Text: "The JWKS URLs of a project, in Neon's order.",
	}, (*client.Client).ListJWKS)
}

func returned(jwks client.JWKS) kit.Returned {
	return kit.Returned{
		"id":            kit.Returns(idText, types.StringValue(jwks.ID)),
		"jwks_url":      kit.Returns(urlText, types.StringValue(jwks.URL)),
		"provider_name": kit.Returns(providerText, types.StringValue(jwks.ProviderName)),
		"branch_id":     kit.Returns(branchText+" Null for all branches.", kit.OptionalString(jwks.BranchID)),
		"jwt_audience":  kit.Returns(audienceText+" Null for any.", kit.OptionalString(jwks.Audience)),
		"role_names":    kit.Returns(rolesText, kit.SetOf(jwks.RoleNames)),
		"created_at":    kit.Returns(createdText, kit.OptionalTime(&jwks.CreatedAt)),
	}
}
