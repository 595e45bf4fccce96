package kit

import (
	"cmp"
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// ResourceBase names a resource, and keeps the [Platform] that it works on.
type ResourceBase struct {
	*Platform

	Name string // what follows neon_
}

// Metadata names the resource.
func (b *ResourceBase) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + b.Name
}

// Configure keeps the [Platform]; there is none while Terraform only validates.
func (b *ResourceBase) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	b.Platform, _ = req.ProviderData.(*Platform)
}

// MoveState accepts states of this provider under another address. Other providers have no resource without a key under
// this name.
func (b *ResourceBase) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: func(
		ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse,
	) {
		if req.SourceTypeName == "neon_"+b.Name {
			moveWhole(ctx, req, nil, resp)
		}
	}}}
}

func (r *managed[M]) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = r.spec.Key.IdentitySchema()
}

// ImportState takes the import id or the identity.
func (r *managed[M]) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	r.spec.Key.Import(ctx, r.spec.ListedBy, req, resp)
}

// MoveState accepts states of other providers that have such a resource, and of this provider under another address.
func (r *managed[M]) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: func(
		ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse,
	) {
		name := "neon_" + r.Name
		if req.SourceTypeName == name && req.SourceSchemaVersion >= FirstSchemaVersion &&
			req.SourceSchemaVersion <= SchemaVersion() {
			moveWhole(ctx, req, r.spec.Renamed, resp)
			r.spec.Key.Identify(ctx, resp.TargetState.Raw, resp.TargetIdentity, &resp.Diagnostics)
			return
		}
		r.spec.Key.Move(ctx, req, resp, name, r.spec.MovedFrom, r.spec.MovedTexts...)
	}}}
}

// noun is what the objects are called.
func (r *managed[M]) noun() string {
	return cmp.Or(r.spec.Called, strings.ReplaceAll(r.Name, "_", " "))
}

// whereListed names, after another sentence, the data source that lists the ids, or returns "".
func whereListed(dataSource string) string {
	if dataSource == "" {
		return ""
	}
	return " The data source neon_" + dataSource + " returns the ids."
}
