package provider

import (
	"bytes"
	"cmp"
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/defaults"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// unchangedServer plans resources that don't change without the framework, which takes a
// millisecond for each. Whatever the framework might answer differently is left to it.
type unchangedServer struct{ frameworkServer }

// uncheckedTypes returns the types of resources that have an identity and check nothing
// about a plan without changes.
var uncheckedTypes = sync.OnceValue(func() map[string]schema.Schema {
	ctx, kinds := context.Background(), map[string]schema.Schema{}
	for _, newResource := range (&neonProvider{}).Resources(ctx) {
		kind, name, described := newResource(), resource.MetadataResponse{}, resource.SchemaResponse{}
		kind.Metadata(ctx, resource.MetadataRequest{ProviderTypeName: "neon"}, &name)
		kind.Schema(ctx, resource.SchemaRequest{}, &described)
		_, identified := kind.(resource.ResourceWithIdentity)
		if _, checks := kind.(interface{ ChecksUnchangedPlans() }); identified && !checks {
			kinds[name.TypeName] = described.Schema
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
	kind, unchecked := uncheckedTypes()[req.TypeName]
	mayDefer := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	if !unchecked || mayDefer || len(req.PriorPrivate) > len("{}") || !bytes.Equal(req.PriorState.MsgPack, req.ProposedNewState.MsgPack) ||
		!hasDefaults(ctx, kind, req.PriorState) {
		return s.frameworkServer.PlanResourceChange(ctx, req)
	}
	identity := cmp.Or(req.PriorIdentity, nullIdentity)
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedIdentity: identity}, nil
}

// hasDefaults reports whether the attributes with a default, which are booleans, have it.
func hasDefaults(ctx context.Context, kind schema.Schema, state *tfprotov6.DynamicValue) bool {
	var values map[string]tftypes.Value
	decoded, err := state.Unmarshal(kind.Type().TerraformType(ctx))
	same := err == nil && decoded.As(&values) == nil && values != nil
	for name, attribute := range kind.Attributes {
		if boolean, ok := attribute.(schema.BoolAttribute); ok && boolean.Default != nil {
			var wanted defaults.BoolResponse
			boolean.Default.DefaultBool(ctx, defaults.BoolRequest{}, &wanted)
			same = same && tftypes.NewValue(tftypes.Bool, wanted.PlanValue.ValueBool()).Equal(values[name])
		}
	}
	return same
}
