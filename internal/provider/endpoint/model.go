package endpoint

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	branchText   = "Id of the branch that the endpoint serves."
	idText       = "Id of the endpoint."
	hostText     = "Host name for direct connections."
	poolerText   = "Host name for pooled connections. Every endpoint has one."
	regionText   = "Id of the region that the endpoint runs in, which is the project's."
	createdText  = "When the endpoint was created."
	settingsText = "PostgreSQL settings by name, such as `{ log_min_duration_statement = \"500\" }`."
)

func resourceSchema() schema.Schema {
	kind := compute.EndpointType("Changing it replaces the endpoint, which gets another host name.")
	kind.PlanModifiers = []planmodifier.String{stringplanmodifier.RequiresReplace()}
	smallest, largest, timeout := compute.Units("Minimum size, in"), compute.Units("Maximum size, in"),
		compute.SuspendTimeout()
	smallest.PlanModifiers = []planmodifier.Float64{float64planmodifier.UseStateForUnknown()}
	largest.PlanModifiers = smallest.PlanModifiers
	timeout.PlanModifiers = []planmodifier.Int64{int64planmodifier.UseStateForUnknown()}
	name := compute.EndpointName()
	name.PlanModifiers = []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	return schema.Schema{
		MarkdownDescription: "A compute endpoint of a branch: a PostgreSQL server with a host name of its own. Manage an " +
			"endpoint either with this resource or with `endpoints` of `neon_branch`, never with both.",
		Attributes: map[string]schema.Attribute{
			"project_id":               kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
			"branch_id":                kit.FollowedBranch(branchText),
			"type":                     kind,
			"autoscaling_limit_min_cu": smallest,
			"autoscaling_limit_max_cu": largest,
			"suspend_timeout_seconds":  timeout,
			"disabled":                 compute.EndpointDisabled(),
			"name":                     name,
			"pg_settings":              pgSettings(),
			"preload_libraries": compute.PreloadLibraries("A change restarts a running endpoint. Removing it goes back to " +
				"Neon's own libraries; an endpoint that never had it keeps the values that Neon chose."),
			"id":          kit.ComputedString(idText),
			"host":        kit.ComputedString(hostText),
			"pooler_host": kit.ComputedString(poolerText),
			"region_id":   kit.ComputedString(regionText),
			"created_at":  kit.ComputedTime(createdText),
			"timeouts":    kit.Timeouts(timeouts.Opts{Create: true, Update: true, Delete: true}),
		},
	}
}

func pgSettings() schema.Attribute {
	return schema.MapAttribute{
		MarkdownDescription: settingsText + " A change suspends a running endpoint, which starts again with the next " +
			"connection. Removing it removes all of them; an endpoint that never had it keeps the values that Neon chose.",
		Optional:    true,
		ElementType: types.StringType,
		Validators:  []validator.Map{kit.NoNulls{}},
	}
}

type model struct {
	compute.Endpoint
	kit.InBranch

	PgSettings       types.Map          `tfsdk:"pg_settings"`
	PreloadLibraries *compute.Libraries `tfsdk:"preload_libraries"`
	RegionID         types.String       `tfsdk:"region_id"`
	CreatedAt        timetypes.RFC3339  `tfsdk:"created_at"`
	Timeouts         timeouts.Value     `tfsdk:"timeouts"`
}

// with returns the plan with its unknown values taken from the created endpoint.
func (m model) with(ctx context.Context, endpoint *client.Endpoint) model {
	return kit.Resolved(ctx, m, model{Endpoint: compute.NewEndpoint(endpoint),
		RegionID: kit.OptionalString(endpoint.RegionID), CreatedAt: kit.OptionalTime(&endpoint.CreatedAt)})
}

// refreshed returns the state with Neon's present values. PostgreSQL settings are read only if the state has them, or
// after an import if the endpoint has any: Neon fills in some of its own.
func (m model) refreshed(endpoint *client.Endpoint) model {
	isImported := m.Type.IsNull()
	m.Endpoint = compute.NewEndpoint(endpoint)
	m.BranchID = types.StringValue(endpoint.BranchID)
	m.RegionID = kit.OptionalString(endpoint.RegionID)
	m.CreatedAt = kit.OptionalTime(&endpoint.CreatedAt)
	if !m.PgSettings.IsNull() || isImported && len(endpoint.Settings.PgSettings) > 0 {
		m.PgSettings = kit.MapOf(endpoint.Settings.PgSettings)
	}
	present := compute.NewLibraries(endpoint.Settings.PreloadLibraries)
	if m.PreloadLibraries != nil || isImported && !present.Equal(compute.NeutralLibraries()) {
		m.PreloadLibraries = present
	}
	return m
}

// withoutRemoved returns the plan with neutral values for the settings that were removed from the configuration.
func (m model) withoutRemoved(state model) model {
	if m.PgSettings.IsNull() && !state.PgSettings.IsNull() {
		m.PgSettings = kit.MapOf(nil)
	}
	if m.PreloadLibraries == nil && state.PreloadLibraries != nil {
		m.PreloadLibraries = compute.NeutralLibraries()
	}
	return m
}

// settings returns the present settings with the planned ones in their place. Neon replaces the settings as a whole, so
// unplanned ones are sent as they are.
func (m model) settings(present client.PostgresSettings) *client.PostgresSettings {
	if !m.PgSettings.IsNull() || present.PgSettings == nil {
		present.PgSettings = map[string]string{}
	}
	maps.Copy(present.PgSettings, kit.TextMap(m.PgSettings))
	if m.PreloadLibraries != nil {
		present.PreloadLibraries = m.PreloadLibraries.Request()
	}
	return &present
}
