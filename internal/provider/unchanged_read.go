package provider

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tfsdklog"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// ReadResource answers with the state of the request where Neon has the same. The framework
// answers for an object that changed, with what was read of it, and for one with private state.
func (s *unchangedServer) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	kind, identified := identifiedKinds()[req.TypeName]
	mayDefer := req.ClientCapabilities != nil && req.ClientCapabilities.DeferralAllowed
	if !identified || mayDefer || len(req.Private) > len("{}") {
		return s.frameworkServer.ReadResource(ctx, req)
	}
	found, err := briefly(ctx, req, func(ctx context.Context, req *tfprotov6.ReadResourceRequest) (reading, error) {
		ctx, end := context.WithCancel(ctx)
		defer end()
		s.reads.Store(&end, end)
		defer s.reads.Delete(&end)
		return kind.read(ctx, s.platform(), req)
	})
	if err != nil {
		return s.frameworkServer.ReadResource(ctx, req)
	}
	if found.isChanged {
		return s.frameworkServer.ReadResource(kit.WithRead(ctx, found.answer), req)
	}
	identity, err := tfprotov6.NewDynamicValue(found.answer.Identity.Raw.Type(), found.answer.Identity.Raw)
	return &tfprotov6.ReadResourceResponse{
		NewState: req.CurrentState, NewIdentity: &tfprotov6.ResourceIdentityData{IdentityData: &identity},
	}, err
}

// StopProvider ends the reads that run, as the framework ends those that it runs.
func (s *unchangedServer) StopProvider(
	ctx context.Context, req *tfprotov6.StopProviderRequest,
) (*tfprotov6.StopProviderResponse, error) {
	s.reads.Range(func(_, end any) bool {
		end.(context.CancelFunc)() //nolint:forcetypeassert // Nothing else is stored.
		return true
	})
	return s.frameworkServer.StopProvider(ctx, req)
}

// reading is what a resource answered to a read.
type reading struct {
	answer *resource.ReadResponse
	// isChanged is true where state or identity differ from the request's, or with diagnostics.
	isChanged bool
}

// read reads a resource without private state, as the framework calls it.
func (k identifiedKind) read(ctx context.Context, platform *kit.Platform, req *tfprotov6.ReadResourceRequest) (reading, error) {
	state, stateErr := req.CurrentState.Unmarshal(k.schema.Type().TerraformType(ctx))
	identity, identityErr := cmp.Or(req.CurrentIdentity, nullIdentity).IdentityData.Unmarshal(k.identity.Type().TerraformType(ctx))
	if err := cmp.Or(stateErr, identityErr); err != nil {
		return reading{}, err
	}
	answer := &resource.ReadResponse{
		State:    tfsdk.State{Schema: k.schema, Raw: state},
		Identity: &tfsdk.ResourceIdentity{Schema: k.identity, Raw: identity},
	}
	answer.Private = emptyOf(answer.Private)
	given := *answer.Identity
	one := k.newResource()
	if configured, ok := one.(resource.ResourceWithConfigure); ok {
		configured.Configure(ctx, resource.ConfigureRequest{ProviderData: platform}, &resource.ConfigureResponse{})
	}
	ctx = tfsdklog.NewSubsystem(ctx, "framework", tfsdklog.WithLevelFromEnv("TF_LOG_SDK_FRAMEWORK"), tfsdklog.WithRootFields())
	one.Read(ctx, resource.ReadRequest{State: answer.State, Identity: &given, Private: answer.Private}, answer)
	hasIdentity := identity.IsNull() || identity.Equal(answer.Identity.Raw)
	return reading{answer, len(answer.Diagnostics) > 0 || !hasIdentity || !state.Equal(answer.State.Raw)}, nil
}

// emptyOf returns an empty value of a type that only the framework can name.
func emptyOf[T any](*T) *T { return new(T) }
