package provider

import (
	"bytes"
	"cmp"
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// unchangedServer reads and plans resources that don't change without the framework, which
// takes a millisecond for each. Whatever the framework might answer differently is left to it.
type unchangedServer struct {
	frameworkServer

	platform func() *kit.Platform
	// reads holds what ends each read that runs, a context.CancelFunc, by a key of its own.
	reads sync.Map
}

// identifiedKind is a type of resources that has an identity.
type identifiedKind struct {
	newResource func() resource.Resource
	schema      schema.Schema
	identity    identityschema.Schema
	// checked is true where a plan without changes is checked, too.
	checked bool
}

// identifiedKinds returns them by name.
var identifiedKinds = sync.OnceValue(func() map[string]identifiedKind {
	ctx, kinds := context.Background(), map[string]identifiedKind{}
	for _, newResource := range (&neonProvider{}).Resources(ctx) {
		one, name, described, identity := newResource(), resource.MetadataResponse{}, resource.SchemaResponse{}, resource.IdentitySchemaResponse{}
		one.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "neon"}, &name)
		one.Schema(ctx, resource.SchemaRequest{}, &described)
		if identified, ok := one.(resource.ResourceWithIdentity); ok {
			identified.IdentitySchema(ctx, resource.IdentitySchemaRequest{}, &identity)
			_, checked := one.(interface{ ChecksUnchangedPlans() })
			kinds[name.TypeName] = identifiedKind{newResource, described.Schema, identity.IdentitySchema, checked}
		}
	}
	return kinds
})

var nullIdentity = &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: []byte{0xc0}}}

// PlanResourceChange returns the proposed state where it is the prior one, private state
// is empty, and each attribute with a default has it, whether configured or not.
func (s *unchangedServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	kind, identified := identifiedKinds()[req.TypeName]
	mayDefer := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	if !identified || kind.checked || mayDefer || len(req.PriorPrivate) > len("{}") || !bytes.Equal(req.PriorState.MsgPack, req.ProposedNewState.MsgPack) ||
		!hasDefaults(ctx, kind.schema, req.PriorState) {
		return s.frameworkServer.PlanResourceChange(ctx, req)
	}
	identity := cmp.Or(req.PriorIdentity, nullIdentity)
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedIdentity: identity}, nil
}

// hasDefaults reports whether the attributes with a default, which are booleans, have it, those
// in the elements of maps too.
func hasDefaults(ctx context.Context, kind schema.Schema, state *tfprotov6.DynamicValue) bool {
	decoded, err := state.Unmarshal(kind.Type().TerraformType(ctx))
	return err == nil && !decoded.IsNull() && haveDefaults(ctx, kind.Attributes, decoded)
}

func haveDefaults(ctx context.Context, attributes map[string]schema.Attribute, object tftypes.Value) bool {
	var values map[string]tftypes.Value
	same := object.As(&values) == nil
	for name, attribute := range attributes {
		switch attribute := attribute.(type) {
		case schema.BoolAttribute:
			if attribute.Default != nil {
				var wanted defaults.BoolResponse
				attribute.Default.DefaultBool(ctx, defaults.BoolRequest{}, &wanted)
				same = same && tftypes.NewValue(tftypes.Bool, wanted.PlanValue.ValueBool()).Equal(values[name])
			}
		case schema.MapNestedAttribute:
			var elements map[string]tftypes.Value
			same = same && values[name].As(&elements) == nil
			for _, element := range elements {
				same = same && haveDefaults(ctx, attribute.NestedObject.Attributes, element)
			}
		}
	}
	return same
}
