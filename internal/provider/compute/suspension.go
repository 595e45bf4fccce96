package compute

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// timeoutsMark keeps, in the private state, the labels of the endpoints whose suspend_timeout_seconds is configured.
// The next plan sees by it that the attribute was removed.
const timeoutsMark = "suspend_timeouts"

// ConfiguredTimeouts returns the labels that KeepConfiguredTimeouts stored with the last change.
func ConfiguredTimeouts(ctx context.Context, private kit.PrivateState) []string {
	labels, _ := kit.MarkOf[[]string](ctx, private, timeoutsMark) // Without a mark, there are no labels.
	return labels
}

// KeepConfiguredTimeouts stores the labels with the planned change.
func KeepConfiguredTimeouts(ctx context.Context, private kit.PrivateState, labels []string, diags *diag.Diagnostics) {
	var mark any
	if len(labels) > 0 {
		mark = labels
	}
	kit.SetMark(ctx, private, timeoutsMark, mark, diags)
}

// TimeoutPath is the path of suspend_timeout_seconds in neon_endpoint.
var TimeoutPath = path.Root("suspend_timeout_seconds")

// NoteSuspension records that the plan changes a project's default suspend timeout, for PlannedSuspension.
func NoteSuspension(p kit.Planning, projectID string, planned types.Int64) {
	p.Other(suspensionOf+projectID, kit.Planned{Kind: "neon_project", Value: planned})
}

const suspensionOf = "time of suspension in project "

// PlannedSuspension returns a project's default suspend timeout, as planned if this plan changes it; unknown if the
// project can't be read.
func PlannedSuspension(ctx context.Context, p kit.Planning, projectID string) types.Int64 {
	api := p.CheckProject(ctx, projectID, p.Diags)
	if api == nil {
		return types.Int64Unknown()
	}
	project, err := p.LookUpProject(ctx, projectID)
	seconds := types.Int64Value(0)
	if err == nil && project.DefaultEndpointSettings.SuspendTimeoutSeconds != nil {
		seconds = types.Int64PointerValue(project.DefaultEndpointSettings.SuspendTimeoutSeconds)
	}
	present := kit.Planned{Kind: "endpoint", Value: seconds}
	if changed, differs := p.Other(suspensionOf+projectID, present); differs {
		seconds, _ = changed.Value.(types.Int64)
	}
	return seconds
}

// suspendTimeoutValidator refuses invalid suspend timeouts.
type suspendTimeoutValidator struct{ kit.Unsaid }

// ValidateInt64 checks a value that is known.
func (suspendTimeoutValidator) ValidateInt64(
	_ context.Context, req validator.Int64Request, resp *validator.Int64Response,
) {
	seconds := req.ConfigValue.ValueInt64()
	if !kit.IsSet(req.ConfigValue) || seconds == -1 || seconds == 0 || seconds >= 60 && seconds <= 604800 {
		return
	}
	resp.Diagnostics.AddAttributeError(req.Path, "Invalid time of suspension", fmt.Sprintf("%s must be 60 to 604800 (a "+
		"week), 0 for Neon's default, or -1 for never, got: %d.", req.Path, seconds))
}
