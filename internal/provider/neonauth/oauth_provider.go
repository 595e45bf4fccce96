package neonauth

import (
	"context"
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const oauthText = "Name of the provider: `google`, `github`, `microsoft` or `vercel`."

var oauthNames = []string{"google", "github", "microsoft", "vercel"}

var oauthKey = kit.Key{
	Rule: "An OAuth provider is imported by project_id/branch_id/oauth_provider, such as " +
		"wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/google",
	Parts: []kit.KeyPart{
		{Name: "project_id", Description: kit.ProjectText, Valid: kit.IsID("project_id")},
		{Name: "branch_id", Description: branchText, Valid: kit.IsID("branch_id")},
		{Name: "oauth_provider", Description: oauthText,
			Valid: func(name string) bool { return slices.Contains(oauthNames, name) }, MovedFrom: "id"},
	},
	Version: 1,
}

// NewOAuthResource returns the managed resource neon_auth_oauth_provider.
func NewOAuthResource() resource.Resource {
	return kit.NewResource(kit.Resource[oauthModel]{
		Name:   "auth_oauth_provider",
		Called: "OAuth provider",
		Key:    oauthKey,
		Schema: schema.Schema{
			MarkdownDescription: "An OAuth provider with which people sign in to Neon Auth. Without an OAuth application of " +
				"your own, it uses Neon's, to try it out. Yours must allow the address `<base_url>/callback/<oauth_provider>`, " +
				"with `base_url` of `neon_auth`. A child branch starts with its parent's providers: this resource on the child " +
				"takes one over, with these settings, and destroying it leaves the parent's alone.",
			Attributes: oauthAttributes(),
		},
		MovedFrom:   map[string]string{"kenchan0130/neon": "neon_branch_neon_auth_oauth_provider"},
		Renamed:     map[string]string{"provider_name": "oauth_provider"},
		FindAgain:   kit.SameInBranch(readOAuth),
		IsExclusive: true,
		IsInherited: func(ctx context.Context, api *client.Client, place oauthModel) (bool, error) {
			return client.IsInherited(ctx, api, place.Branch(), oauthOf(api, place.Name.ValueString()))
		},
		Plan:   planOAuth,
		Create: createOAuth,
		Read:   readOAuth,
		Update: func(ctx context.Context, run kit.Run, state, plan oauthModel, save func(oauthModel)) error {
			branch := plan.Branch()
			if change := plan.changes(ctx, run, state); change != (client.AuthOAuthSettings{}) {
				if err := run.API.UpdateAuthOAuthProvider(ctx, branch, plan.Name.ValueString(), change); err != nil {
					return err
				}
			}
			save(plan.named())
			return nil
		},
		Delete: func(ctx context.Context, run kit.Run, state oauthModel) error {
			return run.API.DeleteAuthOAuthProvider(ctx, state.Branch(), state.Name.ValueString())
		},
	})
}

func oauthAttributes() map[string]schema.Attribute {
	version := "client_secret_wo_version"
	return map[string]schema.Attribute{
		"project_id":     kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":      kit.FollowedBranch(branchText),
		"oauth_provider": kit.ImmutableString(oauthText, stringvalidator.OneOf(oauthNames...)),
		"client_id": kit.StayingString("Client id of your own application; `microsoft` needs one. Without it a new "+
			"provider is Neon's application, to which `-replace` leads back.", kit.NotEmpty()...),
		"client_secret_wo": schema.StringAttribute{
			MarkdownDescription: "Client secret of your own application. It isn't stored, and isn't compared with what Neon " +
				"has: it is sent at the creation, and whenever `" + version + "` or `client_id` changes. It needs both. An " +
				"imported provider doesn't need it.",
			Optional: true, WriteOnly: true, Sensitive: true,
			Validators: append(kit.NotEmpty(), stringvalidator.AlsoRequires(path.MatchRoot("client_id"),
				path.MatchRoot(version))),
		},
		version: kit.SecretVersion("client_secret_wo", "the client secret"),
		"microsoft_tenant_id": schema.StringAttribute{
			MarkdownDescription: "Tenant of your own application at `microsoft`, for that provider alone. Neon " +
				"doesn't return it: it isn't compared with what Neon has. Removing it leaves it as it is.",
			Optional: true, Validators: kit.NotEmpty(),
		},
		"id": kit.ComputedString("`project_id/branch_id/oauth_provider`."),
	}
}

// NewOAuthList returns the list resource neon_auth_oauth_provider: those of a branch.
func NewOAuthList() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "auth_oauth_provider", oauthKey,
		"Lists the OAuth providers of Neon Auth of a branch, in Neon's order.",
		(*client.Client).ListAuthOAuthProviders, oauthModel.with,
		func(provider client.AuthOAuthProvider) (id, name string) { return provider.ID, provider.ID })
}

type oauthModel struct {
	kit.InBranch

	Name          types.String `tfsdk:"oauth_provider"`
	ClientID      types.String `tfsdk:"client_id"`
	Secret        types.String `tfsdk:"client_secret_wo"`
	SecretVersion types.String `tfsdk:"client_secret_wo_version"`
	TenantID      types.String `tfsdk:"microsoft_tenant_id"`
	ID            types.String `tfsdk:"id"`
}

func (m oauthModel) named() oauthModel {
	m.ID, m.Secret = m.IDOf(m.Name.ValueString()), types.StringNull()
	return m
}

func (m oauthModel) with(provider *client.AuthOAuthProvider) oauthModel {
	m.ClientID = kit.OptionalString(provider.ClientID)
	return m.named()
}

// changes are the settings that differ from a state, with the secret where its version or its application does.
func (m oauthModel) changes(ctx context.Context, run kit.Run, state oauthModel) (change client.AuthOAuthSettings) {
	if !m.ClientID.Equal(state.ClientID) {
		change.ClientID = m.ClientID.ValueString()
	}
	if !m.TenantID.Equal(state.TenantID) {
		change.TenantID = m.TenantID.ValueString()
	}
	if !m.SecretVersion.Equal(state.SecretVersion) || change.ClientID != "" {
		change.ClientSecret = run.WriteOnly(ctx, "client_secret_wo")
	}
	return change
}

// planOAuth refuses microsoft without an application, and an application without its secret, which Neon can't have yet.
func planOAuth(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() {
		return
	}
	state, _, config := kit.ModelsOf[oauthModel](ctx, p)
	if config.Name.ValueString() == "microsoft" && config.ClientID.IsNull() {
		p.Diags.AddAttributeError(path.Root("client_id"), "Microsoft needs an application of your own",
			"Neon has none to share for microsoft: set client_id, client_secret_wo and client_secret_wo_version to those "+
				"of yours.")
	}
	if kit.IsSet(config.ClientID) && config.Secret.IsNull() && !config.ClientID.Equal(state.ClientID) {
		p.Diags.AddAttributeError(path.Root("client_id"), "No client secret", "Neon needs the secret of the "+
			"application "+kit.Quoted(config.ClientID.ValueString())+
			", and doesn't have it yet: set client_secret_wo and client_secret_wo_version.")
	}
	if kit.IsSet(config.Name) && config.Name.ValueString() != "microsoft" && !config.TenantID.IsNull() {
		p.Diags.AddAttributeError(path.Root("microsoft_tenant_id"), "Not of Microsoft", "Only oauth_provider = "+
			"\"microsoft\" has tenants: remove microsoft_tenant_id.")
	}
	checkAuth(ctx, p, "OAuth provider")
}

// oauthOf reads a provider of any branch.
func oauthOf(
	api *client.Client, name string,
) func(context.Context, client.BranchRef) (*client.AuthOAuthProvider, error) {
	return func(ctx context.Context, branch client.BranchRef) (*client.AuthOAuthProvider, error) {
		return api.GetSharedAuthOAuthProvider(ctx, branch, name)
	}
}

func createOAuth(ctx context.Context, run kit.Run, plan oauthModel, save func(oauthModel)) error {
	branch := plan.Branch()
	name := plan.Name.ValueString()
	settings := plan.changes(ctx, run, oauthModel{})
	err := adviseEnable(run.API.CreateAuthOAuthProvider(ctx, branch, name, settings))
	if errors.Is(err, client.ErrTaken) {
		err = takeOverOAuth(ctx, run, plan, settings)
	}
	if err == nil {
		save(plan.named())
	}
	return err
}

// takeOverOAuth configures, or replaces, a provider that the branch inherits from its parent. It refuses a provider of
// the branch's own.
func takeOverOAuth(ctx context.Context, run kit.Run, plan oauthModel, settings client.AuthOAuthSettings) error {
	branch := plan.Branch()
	name := plan.Name.ValueString()
	present, err := run.API.GetAuthOAuthProvider(ctx, branch, name)
	if err != nil {
		return err
	}
	err = client.TakeOver(ctx, run.API, branch, "OAuth provider "+name, oauthOf(run.API, name))
	switch {
	case err != nil:
		return err
	case plan.ClientID.IsNull() && present.ClientID != "": // Neon can't change that in place.
		if err := run.API.DeleteAuthOAuthProvider(ctx, branch, name); err != nil {
			return err
		}
		return run.API.CreateAuthOAuthProvider(ctx, branch, name, settings)
	case settings == (client.AuthOAuthSettings{}):
		return nil
	}
	return run.API.UpdateAuthOAuthProvider(ctx, branch, name, settings)
}

func readOAuth(ctx context.Context, run kit.Run, state oauthModel) (oauthModel, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedAuthOAuthProvider(ctx, state.Branch(), state.Name.ValueString()))
}
