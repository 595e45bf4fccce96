package project

import (
	"context"
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/postgresname"
)

// replacing are the attributes whose change replaces the project.
var replacing = []string{"region_id", "pg_version", "compute_provisioner", "store_passwords"}

// leftAlone are the settings that stay as they are on Neon where they were never configured: a restriction that
// somebody has put on in the console isn't lifted by an apply.
var leftAlone = []string{"quota", "allowed_ips", "allowed_ips_protected_branches_only", "block_public_connections",
	"block_vpc_connections", "preload_libraries"}

// lasting are the settings that Neon never switches off again, with what each is called.
var lasting = map[string]string{"enable_logical_replication": "logical replication", "hipaa": "HIPAA"}

const (
	leftText     = " Removing it goes back to Neon's default, "
	replacesText = " Changing a configured value replaces the project."
)

func attributes() map[string]schema.Attribute {
	attributes := settingAttributes()
	attributes["name"] = kit.KeptString("Name of the project, 1 to 256 characters. Neon's default is the project's id.",
		stringvalidator.UTF8LengthBetween(1, 256))
	attributes["org_id"] = kit.KeptString("Id of the organization that the project belongs to. Defaults to the "+
		"provider's `org_id`, else to that of the API key. Changing it transfers the project and revokes its project-scoped "+
		"API keys. Without it the project stays where it is.", kit.IDValidators()...)
	attributes["region_id"] = fixedString("Region of the project, such as `aws-us-east-2`. Defaults to Neon's, which "+
		"has changed over time: set it where the region matters. The data source `neon_regions` lists them."+replacesText,
		kit.NotEmpty()...)
	attributes["compute_provisioner"] = fixedString(provisionerText+" Defaults to Neon's."+replacesText, kit.NotEmpty()...)
	attributes["pg_version"] = schema.Int64Attribute{
		MarkdownDescription: "Major version of PostgreSQL, 14 or later. Defaults to Neon's, now 18." + replacesText,
		Optional:            true, Computed: true,
		Validators: []validator.Int64{int64validator.AtLeast(14)},
		PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIfConfigured(),
			int64planmodifier.UseStateForUnknown()},
	}
	attributes["store_passwords"] = schema.BoolAttribute{
		MarkdownDescription: "Whether Neon stores the roles' passwords, so that they can be read later. Neon's default " +
			"is `true`." + replacesText,
		Optional: true, Computed: true,
		PlanModifiers: []planmodifier.Bool{boolplanmodifier.RequiresReplaceIfConfigured(),
			boolplanmodifier.UseStateForUnknown()},
	}
	attributes["history_retention_seconds"] = kit.KeptInt64("How long Neon keeps the history of the project's data, in "+
		"seconds; `0` for none. Neon's default is 86400, on the plan Free 21600. The maximum is 21600 on Free, 604800 on "+
		"Launch, and 2592000 on Scale.", int64validator.AtLeast(0))
	attributes["default_endpoint_settings"] = endpointDefaultsAttribute()
	attributes["default_branch"] = defaultBranchAttribute()
	attributes["deletion_protection"] = kit.DeletionProtection("project")
	attributes["id"] = kit.ComputedString(kit.ProjectText)
	attributes["created_at"] = kit.ComputedTime("When the project was created.")
	attributes["proxy_host"] = kit.ComputedString("Host name of the proxy in front of the project's compute endpoints.")
	attributes["platform_id"] = kit.ComputedString("The cloud platform, such as `aws`.")
	attributes["timeouts"] = kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true})
	return attributes
}

func fixedString(text string, validators ...validator.String) schema.Attribute {
	attribute := kit.KeptString(text, validators...)
	attribute.PlanModifiers = append([]planmodifier.String{stringplanmodifier.RequiresReplaceIfConfigured()},
		attribute.PlanModifiers...)
	return attribute
}

// clock is a time of the day.
var clock = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

// settingAttributes are the attributes of settingsModel.
func settingAttributes() map[string]schema.Attribute {
	flag := func(text string) schema.Attribute {
		return schema.BoolAttribute{MarkdownDescription: text + leftText + "`false`.", Optional: true, Computed: true}
	}
	kept := func(text string) schema.Attribute {
		return kit.KeptBool(text + " Neon's default is `false`. Switching it off is an error. Without its line it stays " +
			"on, of which the plan warns.")
	}
	libraries := compute.PreloadLibraries("Takes effect at an endpoint's next start." + leftText + "its own libraries.")
	libraries.Computed = true
	return map[string]schema.Attribute{
		"quota": quotaAttribute(),
		"allowed_ips": schema.SetAttribute{
			MarkdownDescription: "Addresses that may connect, such as `203.0.113.7`, `203.0.113.7-203.0.113.20` or " +
				"`203.0.113.0/24`." + leftText + "`[]`: all may connect.",
			Optional: true, Computed: true, ElementType: types.StringType,
			Validators: []validator.Set{kit.NoNulls{}, setvalidator.ValueStringsAre(kit.TextRule(checkAddresses))},
		},
		"allowed_ips_protected_branches_only": flag("Whether `allowed_ips` restricts protected branches only."),
		"block_public_connections":            flag("Whether the internet is refused, also the addresses of `allowed_ips`."),
		"block_vpc_connections":               flag("Whether connections from VPC endpoints are refused."),
		"enable_logical_replication": kept("Whether logical replication is on. Switching it on ends all " +
			"sessions."),
		"hipaa": kept("Whether the project is subject to HIPAA, which its organization must allow."),
		"audit_log_level": kit.KeptString("What is logged for audits: `base`, `extended` or `full`. Needs an organization "+
			"with HIPAA. Can't go back to `base`.", stringvalidator.OneOf(append([]string{baseLevel}, higherLevels...)...)),
		"maintenance_window": windowAttribute(),
		"preload_libraries":  libraries,
	}
}

func windowAttribute() schema.SingleNestedAttribute {
	return kit.KeptObject("When Neon may restart the project's compute endpoints, in UTC. Neon chooses "+
		"the default.",
		map[string]schema.Attribute{
			"weekdays": schema.SetAttribute{
				MarkdownDescription: "Days of the week, from 1 for Monday to 7 for Sunday.", Required: true,
				ElementType: types.Int64Type,
				Validators: []validator.Set{setvalidator.SizeAtLeast(1), kit.NoNulls{},
					setvalidator.ValueInt64sAre(int64validator.Between(1, 7))},
			},
			"start_time": clockAttribute("When the window begins, such as `07:00`."),
			"end_time":   clockAttribute("When the window ends, such as `08:00`."),
		})
}

func clockAttribute(text string) schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: text, Required: true,
		Validators: []validator.String{stringvalidator.RegexMatches(clock, "must be a time of the day such as 07:00")},
	}
}

func quotaAttribute() schema.Attribute {
	limit := func(text string) schema.Attribute {
		return schema.Int64Attribute{
			MarkdownDescription: text, Optional: true, Validators: []validator.Int64{int64validator.AtLeast(0)},
		}
	}
	return schema.SingleNestedAttribute{
		MarkdownDescription: "The most that the project may use in a billing period, before Neon suspends its compute " +
			"endpoints. `0`, an omitted field, or `{}` sets no limit." + leftText + "`{}`.",
		Optional: true, Computed: true,
		Attributes: map[string]schema.Attribute{
			"active_time_seconds":  limit("Seconds that compute endpoints are active."),
			"compute_time_seconds": limit("Seconds of processor time."),
			"written_data_bytes":   limit("Bytes written."),
			"data_transfer_bytes":  limit("Bytes transferred out of Neon."),
			"logical_size_bytes": limit("Bytes of data in each branch. A branch with more keeps its compute endpoints, but " +
				"refuses writes."),
		},
	}
}

// The attributes of an object that may come to be later keep what the state has, but null.
var (
	keepsBool = []planmodifier.Bool{boolplanmodifier.UseNonNullStateForUnknown()}
	keepsText = []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()}
)

// keepsOfExisting keeps what the state has, even null, while the object exists that the attribute
// is in.
type keepsOfExisting struct{ kit.Unsaid }

// PlanModifyString keeps the state's value if none is configured.
func (keepsOfExisting) PlanModifyString(
	ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	id := kit.Get[types.String](ctx, req.State, req.Path.ParentPath().AtName("id"), &resp.Diagnostics)
	if req.ConfigValue.IsNull() && kit.IsSet(id) {
		resp.PlanValue = req.StateValue
	}
}

func endpointDefaultsAttribute() schema.SingleNestedAttribute {
	return kit.KeptObject("Settings of compute endpoints that are created later, unless they have their own.",
		map[string]schema.Attribute{
			"autoscaling_limit_min_cu": compute.KeptUnits("Minimum size, in" + compute.LimitText),
			"autoscaling_limit_max_cu": compute.KeptUnits("Maximum size, in" + compute.LimitText),
			"suspend_timeout_seconds":  compute.KeptSuspendTimeout(compute.SuspendText),
			"pg_settings": schema.MapAttribute{
				MarkdownDescription: "Settings of PostgreSQL, by name.", Optional: true, Computed: true,
				ElementType:   types.StringType,
				Validators:    []validator.Map{kit.NoNulls{}},
				PlanModifiers: []planmodifier.Map{mapplanmodifier.UseNonNullStateForUnknown()},
			},
		})
}

func defaultBranchAttribute() schema.SingleNestedAttribute {
	text := func(text string) schema.StringAttribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true, PlanModifiers: keepsText}
	}
	created := func(what, later string, rules ...validator.String) schema.Attribute {
		attribute := text("Name of the " + what + " that is created with the project, 1 to 63 bytes. Used at the creation " +
			"only: a later change is an error. " + later)
		attribute.Optional, attribute.Validators = true, rules
		return attribute
	}
	name := text("Name of the branch, 1 to 256 characters. Neon's default is `main`.")
	name.Optional, name.Validators = true, []validator.String{stringvalidator.UTF8LengthBetween(1, 256)}
	return kit.KeptObject("The default branch, which Neon creates with the project. What isn't configured here can be "+
		"managed by an imported `neon_branch` or `neon_endpoint`. It stays the same branch if another becomes the default "+
		"(a warning says so), and follows a restored snapshot that takes its place.",
		map[string]schema.Attribute{
			"id":   text("Id of the branch."),
			"name": name,
			"protected": schema.BoolAttribute{
				MarkdownDescription: "Whether the branch is protected, which needs a paid plan. Neon's default is `false`. " +
					"Destroying the project first removes a protection that this resource set, and no other.",
				Optional: true, Computed: true, PlanModifiers: []planmodifier.Bool{kit.KeepsProtection{}},
			},
			"role_name": created("role", "Neon's default is the database's name with `_owner`.", postgresname.Role()),
			"database_name": created("database", "Rename it with `neon_database`. Neon's default is `neondb`.",
				postgresname.Database()...),
			"endpoint": endpointAttribute(),
		})
}

func endpointAttribute() schema.Attribute {
	text := func(text string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true, PlanModifiers: keepsText}
	}
	name, disabled := compute.EndpointName(), compute.EndpointDisabled()
	disabled.MarkdownDescription = "Whether the endpoint refuses connections. Neon's default is `false`."
	disabled.Default, disabled.PlanModifiers, name.PlanModifiers = nil, keepsBool, []planmodifier.String{keepsOfExisting{}}
	return kit.KeptObject("The branch's `read_write` compute endpoint. If any of it is configured, a deleted endpoint is "+
		"created again.",
		map[string]schema.Attribute{
			"id": text("Id of the endpoint."), "host": text("Host name for direct connections."),
			"pooler_host": text("Host name for pooled connections."),
			"name":        name, "disabled": disabled,
			"autoscaling_limit_min_cu": compute.KeptUnits("Minimum size, in" + compute.LimitText),
			"autoscaling_limit_max_cu": compute.KeptUnits("Maximum size, in" + compute.LimitText),
			"suspend_timeout_seconds":  compute.KeptSuspendTimeout(compute.SuspendText),
		})
}
