package compute

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// ReturnedEndpointAttributes are those of an endpoint that a data source returns.
func ReturnedEndpointAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":            kit.ReturnedString("Id of the endpoint."),
		"type":          kit.ReturnedString("`read_write` or `read_only`."),
		"name":          kit.ReturnedString("Name of the endpoint; null if it has none."),
		"host":          kit.ReturnedString("Host name for direct connections."),
		"pooler_host":   kit.ReturnedString("Host name for pooled connections."),
		"current_state": kit.ReturnedString("State when it was read, such as `active` or `idle`. It changes by itself."),
		"disabled":      kit.ReturnedBool("Whether connections are refused."),
		"autoscaling_limit_min_cu": schema.Float64Attribute{
			MarkdownDescription: "Minimum size that the endpoint scales to, in compute units.", Computed: true,
		},
		"autoscaling_limit_max_cu": schema.Float64Attribute{
			MarkdownDescription: "Maximum size that the endpoint scales to, in compute units.", Computed: true,
		},
		"suspend_timeout_seconds": kit.ReturnedInt("Seconds without activity after which it is suspended; 0 is Neon's " +
			"default, -1 never."),
		"created_at": kit.ReturnedTime("When the endpoint was created."),
	}
}

// ReturnedEndpoint is an endpoint that a data source returns.
type ReturnedEndpoint struct {
	Endpoint

	CurrentState types.String      `tfsdk:"current_state"`
	CreatedAt    timetypes.RFC3339 `tfsdk:"created_at"`
}

// NewReturnedEndpoint returns an endpoint as Neon returns it.
func NewReturnedEndpoint(endpoint *client.Endpoint) ReturnedEndpoint {
	return ReturnedEndpoint{NewEndpoint(endpoint), kit.OptionalString(endpoint.CurrentState),
		kit.OptionalTime(&endpoint.CreatedAt)}
}
