// Package provider is the Terraform provider: its configuration, resources, data
// sources and functions. It speaks to Neon through internal/client alone.
package provider

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/advisor"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/apikey"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/backupschedule"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/branch"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/branchschema"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/bucket"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/claimable"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/connectionuri"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/consumption"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/credential"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/dataapi"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/database"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/endpoint"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/invitation"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/jwks"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/library"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/member"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/neonauth"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/neonfunction"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/operation"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/organization"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/permission"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/project"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/region"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/role"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/snapshot"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/spendinglimit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/transfer"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/user"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/vpcendpoint"
)

var (
	_ provider.ProviderWithActions            = (*neonProvider)(nil)
	_ provider.ProviderWithEphemeralResources = (*neonProvider)(nil)
	_ provider.ProviderWithFunctions          = (*neonProvider)(nil)
	_ provider.ProviderWithListResources      = (*neonProvider)(nil)
	_ provider.ProviderWithValidateConfig     = (*neonProvider)(nil)
)

type neonProvider struct {
	version   string
	transport http.RoundTripper
	opened    *kit.Opened
	// platform is what the wrapping servers know of the run once the provider is configured.
	platform *atomic.Pointer[kit.Platform]
}

// protectable maps resource types to the kinds that protect can name.
var protectable = map[string]string{
	"neon_project":            "project",
	"neon_branch":             "branch",
	"neon_anonymized_branch":  "branch",
	"neon_database":           "database",
	"neon_claimable_database": "database",
}

func (p *neonProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "neon"
	resp.Version = p.version
}

func (p *neonProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Manages [Neon](https://neon.com), serverless PostgreSQL: projects and their branches, " +
			"compute endpoints, roles, databases and backups; API keys, and the people who may use them. Claimable databases " +
			"need no account.",
		Attributes: map[string]schema.Attribute{
			"api_key": schema.StringAttribute{
				MarkdownDescription: "API key for the control API. Defaults to the environment variable `NEON_API_KEY`. " +
					"`neon_claimable_database` works without it; everything else needs it.",
				Optional:  true,
				Sensitive: true,
			},
			"base_url": schema.StringAttribute{
				MarkdownDescription: "Address of the control API, with or without its path prefix `/api/v2`. Defaults to the " +
					"environment variable `NEON_BASE_URL`, else `NEON_API_HOST`, else `" + client.DefaultBaseURL + "`. " +
					"Must be https, except to loopback.",
				Optional:   true,
				Validators: []validator.String{kit.IsBaseURL()},
			},
			"claim_base_url": schema.StringAttribute{
				MarkdownDescription: "Address of the claimable database API, with or without its path prefix `/api/v1`. Defaults " +
					"to the environment variable `NEON_CLAIM_BASE_URL`, else `" + client.DefaultClaimBaseURL + "`. " +
					"Must be https, except to loopback.",
				Optional:   true,
				Validators: []validator.String{kit.IsBaseURL()},
			},
			"claimable_neon_base_url": schema.StringAttribute{
				MarkdownDescription: "Address of Claimable Neon, the successor of the claimable database API, with or without " +
					"its path prefix `/v1`. Defaults to the environment variable `NEON_CLAIMABLE_NEON_BASE_URL`, else " +
					"`CLAIMABLE_NEON_HOST`, else `" +
					client.DefaultClaimableNeonBaseURL + "`. Where `claim_base_url` alone is configured, Claimable Neon isn't used, " +
					"and the other way round. Must be https, except to loopback.",
				Optional:   true,
				Validators: []validator.String{kit.IsBaseURL()},
			},
			"org_id": schema.StringAttribute{
				MarkdownDescription: "Id of the organization that resources and data sources with an `org_id` belong to " +
					"unless they set their own. Defaults to the environment variable `NEON_ORG_ID`.",
				Optional:   true,
				Validators: kit.IDValidators(),
			},
			"requests_per_minute": schema.Int64Attribute{
				MarkdownDescription: "The most requests that the provider sends to the control API in a minute, 1 to " +
					"60000. Other programs share the account's limit: set a share of it where several run at once, and more where " +
					"Neon has raised the account's limit. Defaults to the environment variable `NEON_REQUESTS_PER_MINUTE`, else " +
					"700, which is Neon's limit.",
				Optional:   true,
				Validators: []validator.Int64{int64validator.Between(1, client.MostRequestsPerMinute)},
			},
			"max_retries": schema.Int64Attribute{
				MarkdownDescription: "How many times a failed request is retried, 0 or more. If the answer to a write is lost, " +
					"the provider first checks whether it took effect. Defaults to the environment variable `NEON_MAX_RETRIES`, " +
					"else 10.",
				Optional:   true,
				Validators: []validator.Int64{int64validator.AtLeast(0)},
			},
			"read_only": schema.BoolAttribute{
				MarkdownDescription: "Whether the provider refuses each request that would change something: plans work, applies " +
					"of changes fail. The environment variable `NEON_READ_ONLY`, `1` or `true`, does the same, and no configuration " +
					"undoes it. Defaults to `false`.",
				Optional: true,
			},
			"protect": schema.SetAttribute{
				MarkdownDescription: "Kinds of objects that this provider refuses to delete or replace, whatever each resource " +
					"says: `project`, `branch` (also an anonymized one) and `database` (also a claimable one). A plan, also of a " +
					"destroy, or an action that would do so fails. The environment variable `NEON_PROTECT`, such as " +
					"`project,branch`, adds kinds; no configuration removes them. To protect databases, name `branch` and `project` " +
					"too: deleting a project deletes its branches, with their databases. A tainted object is refused only during " +
					"the apply.",
				ElementType: types.StringType,
				Optional:    true,
				Validators: []validator.Set{kit.NoNulls{},
					setvalidator.ValueStringsAre(stringvalidator.OneOf(protectableKinds...))},
			},
		},
	}
}

// ValidateConfig checks the API key. A stock validator would repeat it in its message.
func (p *neonProvider) ValidateConfig(
	ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse,
) {
	var config providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if kit.IsSet(config.APIKey) {
		checkAPIKey(config.APIKey.ValueString(), "api_key", &resp.Diagnostics)
	}
}

// Configure creates the client that everything served shares.
func (p *neonProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
	var config providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	settings := config.settings(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	settings.client.UserAgent = userAgent(p.version, req.TerraformVersion)
	settings.client.Logger, settings.client.Transport = newLogger(), p.transport
	shared, err := settings.configured()
	if err != nil {
		resp.Diagnostics.AddError("Unable to configure the provider", err.Error())
		return
	}
	if req.ClientCapabilities.DeferralAllowed &&
		shared.UnknownOf(slices.Concat(kit.ControlSettings, kit.ClaimSettings)...) != "" {
		resp.Deferred = &provider.Deferred{Reason: provider.DeferredReasonProviderConfigUnknown}
	}
	shared.Opened = p.opened
	if p.platform != nil {
		p.platform.Store(shared)
	}
	resp.ResourceData = shared
	resp.DataSourceData = shared
	resp.EphemeralResourceData = shared
	resp.ListResourceData = shared
	resp.ActionData = shared
}

func userAgent(version, terraformVersion string) string {
	agent := "terraform-provider-neon/" + version
	if terraformVersion != "" {
		agent += " terraform/" + terraformVersion
	}
	return agent
}

func (p *neonProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		apikey.NewResource,
		branch.NewResource,
		branch.NewAnonymizedResource,
		claimable.NewResource,
		apikey.NewOrgResource,
		endpoint.NewResource,
		project.NewResource,
		role.NewResource,
		database.NewResource,
		permission.NewResource,
		jwks.NewResource,
		snapshot.NewResource,
		backupschedule.NewResource,
		dataapi.NewResource,
		neonauth.NewResource,
		neonauth.NewOAuthResource,
		neonauth.NewDomainResource,
		credential.NewResource,
		bucket.NewResource,
		bucket.NewObjectResource,
		neonfunction.NewResource,
		neonfunction.NewTriggerResource,
		neonfunction.NewDomainResource,
		spendinglimit.NewResource,
		vpcendpoint.NewAssignment,
		vpcendpoint.NewRestriction,
		member.NewProjectRoleResource,
		member.NewOrgRoleResource,
		invitation.NewResource,
	}
}

// ListResources lists the list resources, for terraform query.
func (p *neonProvider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{
		apikey.NewListResource,
		branch.NewListResource,
		branch.NewAnonymizedListResource,
		database.NewListResource,
		endpoint.NewListResource,
		jwks.NewListResource,
		member.NewProjectRoleList,
		member.NewOrgRoleList,
		invitation.NewListResource,
		apikey.NewOrgListResource,
		permission.NewListResource,
		vpcendpoint.NewAssignmentList,
		vpcendpoint.NewRestrictionList,
		project.NewListResource,
		role.NewListResource,
		snapshot.NewListResource,
		backupschedule.NewListResource,
		dataapi.NewListResource,
		neonauth.NewListResource,
		neonauth.NewOAuthList,
		neonauth.NewDomainList,
		credential.NewListResource,
		bucket.NewListResource,
		neonfunction.NewListResource,
		neonfunction.NewTriggerList,
		neonfunction.NewDomainList,
	}
}

func (p *neonProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		advisor.NewListDataSource,
		apikey.NewDataSource,
		branch.NewDataSource,
		branch.NewAnonymizedDataSource,
		branch.NewListDataSource,
		claimable.NewDataSource,
		connectionuri.NewDataSource,
		endpoint.NewDataSource,
		endpoint.NewListDataSource,
		operation.NewDataSource,
		operation.NewListDataSource,
		apikey.NewOrgDataSource,
		organization.NewDataSource,
		organization.NewListDataSource,
		organization.NewMembersDataSource,
		project.NewDataSource,
		project.NewListDataSource,
		region.NewListDataSource,
		role.NewDataSource,
		role.NewListDataSource,
		user.NewCurrentDataSource,
		database.NewDataSource,
		database.NewListDataSource,
		permission.NewListDataSource,
		consumption.NewDataSource,
		library.NewListDataSource,
		jwks.NewListDataSource,
		snapshot.NewDataSource,
		snapshot.NewListDataSource,
		branchschema.NewDataSource,
		branchschema.NewDiffDataSource,
		vpcendpoint.NewDataSource,
		vpcendpoint.NewListDataSource,
		vpcendpoint.NewRestrictionsDataSource,
		member.NewProjectMembersDataSource,
		invitation.NewListDataSource,
		dataapi.NewDataSource,
		neonauth.NewDataSource,
		credential.NewListDataSource,
		bucket.NewDataSource,
		bucket.NewListDataSource,
		bucket.NewStorageDataSource,
		bucket.NewGatewayDataSource,
		neonfunction.NewDataSource,
		neonfunction.NewListDataSource,
		neonfunction.NewTriggersDataSource,
		neonfunction.NewDomainDataSource,
	}
}

func (p *neonProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		apikey.NewEphemeral,
		claimable.NewEphemeral,
		connectionuri.NewEphemeral,
		apikey.NewOrgEphemeral,
		role.NewPasswordEphemeral,
		credential.NewEphemeral,
		credential.NewSecretEphemeral,
		transfer.NewEphemeral,
	}
}

// Actions lists the actions (Terraform 1.14 and later).
func (p *neonProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{
		branch.NewResetAction,
		branch.NewAnonymizeAction,
		claimable.NewLinkAction,
		dataapi.NewRefreshAction,
		neonauth.NewTestMailAction,
		credential.NewRotateAction,
		neonfunction.NewRedeployAction,
		branch.NewRestoreAction,
		branch.NewDeleteStaleAction,
		branch.NewSetDefaultAction,
		endpoint.NewRestartAction,
		endpoint.NewStartAction,
		endpoint.NewSuspendAction,
		project.NewRecoverAction,
		project.NewTransferAction,
		role.NewResetPasswordAction,
		snapshot.NewCreateAction,
		snapshot.NewFinalizeAction,
		snapshot.NewRehearseAction,
		snapshot.NewRestoreAction,
		transfer.NewAcceptAction,
		transfer.NewRequestAction,
	}
}

func (p *neonProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		connectionuri.NewDirectFunction,
		connectionuri.NewEnvFileFunction,
		connectionuri.NewPooledFunction,
	}
}
