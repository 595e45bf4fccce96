package kit

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// DefaultTimeout bounds what a change waits for, unless its timeouts say otherwise.
const DefaultTimeout = 10 * time.Minute

// Timeouts are those of a resource that waits for Neon.
func Timeouts(kinds timeouts.Opts) schema.Attribute {
	return ResourceTimeouts(context.Background(), "How long to wait for Neon, for each kind of change. A change takes effect in place.", kinds)
}

// ResourceTimeouts are those of a resource's kinds of change.
func ResourceTimeouts(ctx context.Context, description string, kinds timeouts.Opts) schema.Attribute {
	const text = "How long to wait, as a duration such as `30s` or `1h`. Defaults to 10 minutes."
	kinds.CreateDescription, kinds.UpdateDescription, kinds.DeleteDescription = text, text, text
	attribute := timeouts.Attributes(ctx, kinds)
	if nested, ok := attribute.(schema.SingleNestedAttribute); ok {
		for name, timeout := range nested.Attributes {
			if text, ok := timeout.(schema.StringAttribute); ok {
				text.Validators = []validator.String{TimeoutValidator{}}
				nested.Attributes[name] = text
			}
		}
		nested.MarkdownDescription = description
		return nested
	}
	return attribute
}
