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

// KeyedBase is the base of a resource that has a key.
type KeyedBase struct {
	ResourceBase

	Key      Key
	Called   string // what messages call its objects; empty for the name, as words
	ListedBy string // the data source that lists the ids, by what follows neon_; empty for none
	// MovedFrom are the types of other providers for Neon whose states a moved block can bring here, by the namespace and
	// type of the provider's address: its host doesn't matter, as registries carry the same providers. Any version of
	// their schemas is taken, since only ids and keys are read.
	MovedFrom map[string]string
	// MovedTexts are the attributes that a moved resource keeps besides the key, since no
	// read returns them.
	MovedTexts []string
	// First are the attributes in version 0 of this provider's states, separated by blanks; empty if there was none.
	// Terraform writes all attributes of a schema, so a state has each of them.
	First string
	// Renamed maps former names of attributes to the present ones; a dot leads into an object. If an attribute of the
	// key is renamed, the key's Version rises.
	Renamed map[string]string
}

// IdentitySchema describes the identity, which is the key.
func (b *KeyedBase) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = b.Key.IdentitySchema()
}

// ImportState takes the import id or the identity.
func (b *KeyedBase) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	b.Key.Import(ctx, b.ListedBy, req, resp)
}

// MoveState accepts states of other providers that have such a resource, and of this provider under another address.
func (b *KeyedBase) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: func(
		ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse,
	) {
		name := "neon_" + b.Name
		if req.SourceTypeName == name && req.SourceSchemaVersion >= FirstSchemaVersion &&
			req.SourceSchemaVersion <= SchemaVersion() {
			moveWhole(ctx, req, b.Renamed, resp)
			b.Key.Identify(ctx, resp.TargetState.Raw, resp.TargetIdentity, &resp.Diagnostics)
			return
		}
		b.Key.Move(ctx, req, resp, name, b.MovedFrom, b.MovedTexts...)
	}}}
}

// noun is what the objects are called.
func (b *KeyedBase) noun() string { return cmp.Or(b.Called, strings.ReplaceAll(b.Name, "_", " ")) }

// whereListed names, after another sentence, the data source that lists the ids, or returns "".
func whereListed(dataSource string) string {
	if dataSource == "" {
		return ""
	}
	return " The data source neon_" + dataSource + " returns the ids."
}
