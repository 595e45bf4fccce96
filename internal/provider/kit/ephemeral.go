package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
)

// EphemeralBase names an ephemeral resource, and keeps the platform that it works on.
type EphemeralBase struct {
	*Platform

	Name string // what follows neon_
}

// Metadata names the ephemeral resource.
func (b *EphemeralBase) Metadata(_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Name
}

// Configure keeps the platform; there is none while Terraform only validates.
func (b *EphemeralBase) Configure(_ context.Context, req ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	b.Platform, _ = req.ProviderData.(*Platform)
}

// Ephemeral describes an ephemeral resource that needs no closing. M is its model: a
// struct with the schema's attributes in tfsdk tags.
type Ephemeral[M any] struct {
	Name   string // what follows neon_
	Schema schema.Schema

	// Open fills in what the configuration leaves open, or adds an error.
	Open func(ctx context.Context, platform *Platform, model *M, diags *diag.Diagnostics)
}

// NewEphemeral returns the ephemeral resource that spec describes.
func NewEphemeral[M any](spec Ephemeral[M]) ephemeral.EphemeralResource {
	return &ephemeralResource[M]{EphemeralBase{Name: spec.Name}, spec}
}

var _ ephemeral.EphemeralResourceWithConfigure = (*ephemeralResource[any])(nil)

type ephemeralResource[M any] struct {
	EphemeralBase

	spec Ephemeral[M]
}

func (e *ephemeralResource[M]) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = e.spec.Schema
}

func (e *ephemeralResource[M]) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model M
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if !resp.Diagnostics.HasError() {
		e.spec.Open(ctx, e.Platform, &model, &resp.Diagnostics)
	}
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.Result.Set(ctx, &model)...)
	}
}
