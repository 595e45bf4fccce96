package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// After returns an attribute that makes an ephemeral resource wait for resources of the same run. Terraform opens it
// during the plan if all its arguments are known, even if depends_on names resources that don't exist yet.
func After(example string) schema.Attribute {
	return schema.ListAttribute{
		MarkdownDescription: "Ids of resources that must be there first, such as `" + example + "`; the values aren't " +
			"used. Terraform reads an ephemeral resource during the plan if it knows all arguments, also with `depends_on`: " +
			"what the same run adds to an existing project isn't there yet. Its `id` is known only after it was created or " +
			"renamed, so Terraform waits for it.",
		Optional:    true,
		ElementType: types.StringType,
		Validators:  []validator.List{NoNulls{}},
	}
}

// AfterAdvice says how an ephemeral resource waits for an object of a resource that the same configuration has.
func AfterAdvice(resource string) string {
	return "If this configuration creates or renames it, have Terraform wait for that with after = [" + resource +
		".NAME.id]."
}

// ephemeralBase names an ephemeral resource, and keeps the [Platform] that it works on.
type ephemeralBase struct {
	*Platform

	Name string // what follows neon_
}

func (b *ephemeralBase) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Name
}

// Configure keeps the [Platform]; there is none while Terraform only validates.
func (b *ephemeralBase) Configure(_ context.Context, req ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	b.Platform, _ = req.ProviderData.(*Platform)
}

// Ephemeral describes an ephemeral resource that needs no closing. M is its model: a
// struct with the schema's attributes in tfsdk tags.
type Ephemeral[M any] struct {
	Name   string // what follows neon_
	Schema schema.Schema

	// Open fills in what the configuration leaves open, or adds an error.
	Open func(ctx context.Context, run Run, model *M)
}

// NewEphemeral returns the ephemeral resource that spec describes.
func NewEphemeral[M any](spec Ephemeral[M]) ephemeral.EphemeralResource {
	return &ephemeralResource[M]{ephemeralBase{Name: spec.Name}, spec}
}

var _ ephemeral.EphemeralResourceWithConfigure = (*ephemeralResource[any])(nil)

type ephemeralResource[M any] struct {
	ephemeralBase

	spec Ephemeral[M]
}

func (e *ephemeralResource[M]) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = e.spec.Schema
}

func (e *ephemeralResource[M]) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	model := ModelOf[M](ctx, req.Config, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() && e.Control(&resp.Diagnostics) != nil {
		e.spec.Open(ctx, e.Run(&resp.Diagnostics), &model)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Result.Set(ctx, &model)...)
	}
}
