package kit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// DefaultTimeout bounds what a change waits for, unless its timeouts say otherwise.
const DefaultTimeout = 10 * time.Minute

// Timeouts are those of a resource that waits for Neon.
func Timeouts(kinds timeouts.Opts) schema.Attribute {
	return ResourceTimeouts(context.Background(), timeoutsText, DefaultTimeout, kinds)
}

// PatientTimeouts are Timeouts with another default.
func PatientTimeouts(standard time.Duration, kinds timeouts.Opts) schema.Attribute {
	return ResourceTimeouts(context.Background(), timeoutsText, standard, kinds)
}

const timeoutsText = "How long to wait"

// timeoutsOf describes timeouts of some kinds, each with the same default.
func timeoutsOf(text string, standard time.Duration, kinds ...string) string {
	others := ""
	if len(kinds) > 1 {
		others = "; also `" + strings.Join(kinds[1:], "` and `") + "`"
	}
	return fmt.Sprintf("%s, such as `{ %s = \"30m\" }`%s. Defaults to %.0f minutes.", text, kinds[0], others,
		standard.Minutes())
}

// timeoutText describes one of them.
func timeoutText(standard time.Duration) string {
	return fmt.Sprintf("Defaults to %.0f minutes.", standard.Minutes())
}

// ResourceTimeouts are those of a resource's kinds of change. The description goes on with these.
func ResourceTimeouts(
	ctx context.Context, description string, standard time.Duration, kinds timeouts.Opts,
) schema.Attribute {
	text := timeoutText(standard)
	kinds.CreateDescription, kinds.UpdateDescription, kinds.DeleteDescription = text, text, text
	attribute, _ := timeouts.Attributes(ctx, kinds).(schema.SingleNestedAttribute)
	for name, timeout := range attribute.Attributes {
		text, _ := timeout.(schema.StringAttribute)
		text.Validators = []validator.String{IsTimeout()}
		attribute.Attributes[name] = text
	}
	attribute.MarkdownDescription = timeoutsOf(description, standard, slices.Sorted(maps.Keys(attribute.Attributes))...)
	return attribute
}

// Limit bounds a change by the timeout that is configured for it, as timeouts.Value returns it.
func Limit(
	ctx context.Context, standard time.Duration,
	configured func(context.Context, time.Duration) (time.Duration, diag.Diagnostics), diags *diag.Diagnostics,
) (context.Context, context.CancelFunc) {
	timeout, problems := configured(ctx, standard)
	diags.Append(problems...)
	return context.WithTimeout(ctx, timeout)
}

// outlast returns a context that goes on for a while after ctx has ended, so that an interruption leaves nothing half
// done.
func outlast(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel()
		case <-lasting.Done():
		}
	})
	return lasting, func() {
		stop()
		cancel()
	}
}
