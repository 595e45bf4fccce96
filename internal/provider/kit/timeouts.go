package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

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
