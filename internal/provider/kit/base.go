// Package kit is what the nouns of the provider have in common.
//
// A data source or ephemeral resource describes itself with a [DataSource] or an
// [Ephemeral]. A resource embeds [ResourceBase] and implements the interfaces of
// terraform-plugin-framework itself, with the helpers: [Key], [AddError], the attributes.
package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// ResourceBase names a resource, and keeps the platform that it works on.
type ResourceBase struct {
	*Platform

	Kind string // what follows neon_
}

// Metadata names the resource.
func (b *ResourceBase) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Kind
}

// Configure keeps the platform; there is none while Terraform only validates.
func (b *ResourceBase) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	b.Platform, _ = req.ProviderData.(*Platform)
}
