package compute

import (
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// ReturnedEndpoint returns the attributes of an endpoint in a data source.
func ReturnedEndpoint(endpoint client.Endpoint) kit.Returned {
	m := NewEndpoint(&endpoint)
	return kit.Returned{
		"id":          kit.Returns("Id of the endpoint.", m.ID),
		"type":        kit.Returns("`read_write` or `read_only`.", m.Type),
		"name":        kit.Returns("Name of the endpoint; null if it has none.", m.Name),
		"host":        kit.Returns("Host name for direct connections.", m.Host),
		"pooler_host": kit.Returns("Host name for pooled connections.", m.PoolerHost),
		"current_state": kit.Returns("State when it was read, such as `active` or `idle`. It changes by itself.",
			kit.OptionalString(endpoint.CurrentState)),
		"disabled": kit.Returns("Whether connections are refused.", m.Disabled),
		"autoscaling_limit_min_cu": kit.Returns("Minimum size that the endpoint scales to, in compute units.",
			m.AutoscalingLimitMinCU),
		"autoscaling_limit_max_cu": kit.Returns("Maximum size that the endpoint scales to, in compute units.",
			m.AutoscalingLimitMaxCU),
		"suspend_timeout_seconds": kit.Returns("Seconds without activity after which it is suspended; 0 is Neon's default, "+
			"-1 never.", m.SuspendTimeoutSeconds),
		"created_at": kit.Returns("When the endpoint was created.", kit.OptionalTime(&endpoint.CreatedAt)),
	}
}
