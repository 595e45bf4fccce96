package kit

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// PrivateState is what Terraform keeps of a resource for the provider alone.
type PrivateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// timeoutsKey names in private state the labels of the endpoints whose suspend_timeout_seconds
// is configured. A plan that has none tells by them that one was removed.
const timeoutsKey = "suspend_timeouts"

// ConfiguredTimeouts returns the labels that the last change kept.
func ConfiguredTimeouts(ctx context.Context, private PrivateState, diags *diag.Diagnostics) (labels []string) {
	text, problems := private.GetKey(ctx, timeoutsKey)
	diags.Append(problems...)
	if err := json.Unmarshal(text, &labels); len(text) > 0 && err != nil {
		diags.AddError("Unable to read private state", fmt.Sprintf("Which suspend_timeout_seconds were configured can't be decoded: %s.", err))
	}
	return labels
}

// KeepConfiguredTimeouts keeps the labels with the change that is planned.
func KeepConfiguredTimeouts(ctx context.Context, private PrivateState, labels []string, diags *diag.Diagnostics) {
	var text []byte // Nothing removes the key.
	if len(labels) > 0 {
		text, _ = json.Marshal(labels) // It is made of strings.
	}
	diags.Append(private.SetKey(ctx, timeoutsKey, text)...)
}

// TimeoutPath is where a resource that is an endpoint has its time of suspension.
var TimeoutPath = path.Root("suspend_timeout_seconds")

// keepTimeout keeps whether a resource that is an endpoint was created with a time of suspension.
func (r *managed[M]) keepTimeout(ctx context.Context, config tfsdk.Config, private PrivateState, diags *diag.Diagnostics) {
	if _, has := r.spec.Schema.Attributes[TimeoutPath.String()]; !has {
		return
	}
	var configured types.Int64
	if diags.Append(config.GetAttribute(ctx, TimeoutPath, &configured)...); !configured.IsNull() {
		KeepConfiguredTimeouts(ctx, private, []string{r.Name}, diags)
	}
}

// SuspendTimeout returns what a project has endpoints suspended after that have no
// suspend_timeout_seconds of their own; unknown where the project can't be read.
func (p *Platform) SuspendTimeout(ctx context.Context, projectID string, diags *diag.Diagnostics) types.Int64 {
	api := p.CheckProject(ctx, projectID, diags)
	if api == nil {
		return types.Int64Unknown()
	}
	project, err := lookUp(p, "project "+projectID, func() (*client.Project, error) { return api.GetSharedProject(ctx, projectID) })
	if err != nil || project.DefaultEndpointSettings.SuspendTimeoutSeconds == nil {
		return types.Int64Value(0)
	}
	return types.Int64PointerValue(project.DefaultEndpointSettings.SuspendTimeoutSeconds)
}
