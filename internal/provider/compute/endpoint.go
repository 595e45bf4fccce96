// Package compute has what endpoints share wherever they are managed (neon_endpoint, endpoints of neon_branch, defaults
// of neon_project): their settings, compute sizes and suspension.
package compute

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// Endpoint is the model of a compute endpoint.
type Endpoint struct {
	Type                  types.String  `tfsdk:"type"`
	AutoscalingLimitMinCU types.Float64 `tfsdk:"autoscaling_limit_min_cu"`
	AutoscalingLimitMaxCU types.Float64 `tfsdk:"autoscaling_limit_max_cu"`
	SuspendTimeoutSeconds types.Int64   `tfsdk:"suspend_timeout_seconds"`
	Disabled              types.Bool    `tfsdk:"disabled"`
	Name                  types.String  `tfsdk:"name"`
	ID                    types.String  `tfsdk:"id"`
	Host                  types.String  `tfsdk:"host"`
	PoolerHost            types.String  `tfsdk:"pooler_host"`
}

// EndpointType returns the attribute type; more describes what a change does.
func EndpointType(more string) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "`read_write` (at most one on a branch) or `read_only`. " + more, Required: true,
		Validators: []validator.String{stringvalidator.OneOf(client.EndpointReadWrite, client.EndpointReadOnly)},
	}
}

// Units returns the attribute of an autoscaling limit; text begins its description.
func Units(text string) schema.Float64Attribute {
	return schema.Float64Attribute{
		MarkdownDescription: text + LimitText + " Defaults to the project's setting. Keeps its value when removed.",
		Optional:            true, Computed: true,
		Validators: []validator.Float64{float64validator.AtLeast(0.25), computeSizeValidator{}},
	}
}

// SuspendText describes suspend_timeout_seconds.
const SuspendText = "Seconds without activity until suspension: 60 to 604800, `0` for Neon's default (300), `-1` " +
	"for never, which costs around the clock."

// SuspendTimeout returns the attribute suspend_timeout_seconds.
func SuspendTimeout() schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: SuspendText + " Defaults to the project's setting, and goes back to it when removed.",
		Optional:            true, Computed: true,
		Validators: []validator.Int64{suspendTimeoutValidator{}},
	}
}

// KeptUnits returns Units that keep the state's value if the configuration leaves them out. A null in the state isn't
// kept: the endpoint may be created later.
func KeptUnits(text string) schema.Float64Attribute {
	attribute := Units("")
	attribute.MarkdownDescription = text
	attribute.PlanModifiers = []planmodifier.Float64{float64planmodifier.UseNonNullStateForUnknown()}
	return attribute
}

// KeptSuspendTimeout returns a SuspendTimeout that keeps the state's value likewise.
func KeptSuspendTimeout(text string) schema.Int64Attribute {
	attribute := SuspendTimeout()
	attribute.MarkdownDescription = text
	attribute.PlanModifiers = []planmodifier.Int64{int64planmodifier.UseNonNullStateForUnknown()}
	return attribute
}

// EndpointDisabled returns the attribute disabled.
func EndpointDisabled() schema.BoolAttribute {
	return kit.Flag("Whether the endpoint refuses connections. Defaults to `false`.", false)
}

// EndpointName returns the attribute name. Names of endpoints need not be unique.
func EndpointName() schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: "Name of the endpoint, 1 to 64 characters. Keeps its value when removed.",
		Optional:            true,
		Computed:            true,
		Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
	}
}

// NewEndpoint returns the model of an endpoint that Neon returned.
func NewEndpoint(endpoint *client.Endpoint) Endpoint {
	return Endpoint{
		Type:                  types.StringValue(endpoint.Type),
		AutoscalingLimitMinCU: types.Float64Value(endpoint.AutoscalingLimitMinCU),
		AutoscalingLimitMaxCU: types.Float64Value(endpoint.AutoscalingLimitMaxCU),
		SuspendTimeoutSeconds: types.Int64Value(endpoint.SuspendTimeoutSeconds),
		Disabled:              types.BoolValue(endpoint.Disabled),
		Name:                  kit.OptionalString(endpoint.Name),
		ID:                    types.StringValue(endpoint.ID),
		Host:                  types.StringValue(endpoint.Host),
		PoolerHost:            types.StringValue(endpoint.PoolerHost()),
	}
}

// Create returns the request that creates the endpoint.
func (m Endpoint) Create() client.EndpointCreate {
	create := client.EndpointCreate{Type: m.Type.ValueString(), EndpointSettings: m.settings().EndpointSettings,
		Name: m.Name.ValueString()}
	if m.Disabled.ValueBool() {
		create.Disabled = m.Disabled.ValueBoolPointer()
	}
	return create
}

// settings returns an update with all known settings of the model.
func (m Endpoint) settings() client.EndpointUpdate {
	var update client.EndpointUpdate
	update.AutoscalingLimitMinCU = kit.Known(m.AutoscalingLimitMinCU, types.Float64Null()).ValueFloat64Pointer()
	update.AutoscalingLimitMaxCU = kit.Known(m.AutoscalingLimitMaxCU, types.Float64Null()).ValueFloat64Pointer()
	update.SuspendTimeoutSeconds = kit.Known(m.SuspendTimeoutSeconds, types.Int64Null()).ValueInt64Pointer()
	update.Name = kit.Known(m.Name, types.StringNull()).ValueStringPointer()
	update.Disabled = kit.Known(m.Disabled, types.BoolNull()).ValueBoolPointer()
	return update
}

// Changes returns the update from current to m, with only the settings that differ.
func (m Endpoint) Changes(current Endpoint) client.EndpointUpdate {
	update, present := m.settings(), current.settings()
	update.AutoscalingLimitMinCU = ifChanged(update.AutoscalingLimitMinCU, present.AutoscalingLimitMinCU)
	update.AutoscalingLimitMaxCU = ifChanged(update.AutoscalingLimitMaxCU, present.AutoscalingLimitMaxCU)
	update.SuspendTimeoutSeconds = ifChanged(update.SuspendTimeoutSeconds, present.SuspendTimeoutSeconds)
	update.Name = ifChanged(update.Name, present.Name)
	update.Disabled = ifChanged(update.Disabled, present.Disabled)
	return update
}

// ifChanged returns planned, or nil if present has the same value.
func ifChanged[T comparable](planned, present *T) *T {
	if planned != nil && present != nil && *planned == *present {
		return nil
	}
	return planned
}

// PerhapsLeft returns advice about endpoints that an interrupted run may have left, and that somebody may be using.
func PerhapsLeft(endpoints []client.Endpoint) string {
	described := kit.TextsOf(endpoints, func(endpoint client.Endpoint) string {
		return fmt.Sprintf("%s endpoint %s, created at %s", endpoint.Type, endpoint.ID,
			endpoint.CreatedAt.UTC().Format(time.RFC3339))
	})
	return "An interrupted run may have left them, but somebody may also use them: look at them in the web console " +
		"before you delete any there: " +
		strings.Join(described, ", ") + "."
}
