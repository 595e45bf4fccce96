package provider_test

import (
	"context"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// ballast is what a request's context carries.
type ballast [10 << 10]byte

type ballastKey struct{}

// What a request took is free again once it is answered, whichever requests a run has many of.
func TestAnsweredRequestsAreFreed(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	protocol := acctest.NewProtocol(t, w)
	kind := protocol.Schema.ResourceSchemas["neon_role"].ValueType()
	null := acctest.Dynamic(t, kind, tftypes.NewValue(kind, nil))
	role := acctest.Dynamic(t, kind, acctest.Object(kind, nil))
	regions := protocol.Schema.DataSourceSchemas["neon_regions"].ValueType()
	noRegions := acctest.Dynamic(t, regions, acctest.Object(regions, nil))
	state := &tfprotov6.RawState{JSON: []byte("{}")}
	for name, ask := range map[string]func(context.Context) (any, error){
		"upgrade state": func(ctx context.Context) (any, error) {
			return protocol.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
				TypeName: "neon_role", Version: protocol.Schema.ResourceSchemas["neon_role"].Version, RawState: state,
			})
		},
		"upgrade identity": func(ctx context.Context) (any, error) {
			return protocol.UpgradeResourceIdentity(ctx, &tfprotov6.UpgradeResourceIdentityRequest{TypeName: "neon_role",
				RawIdentity: state})
		},
		"validate": func(ctx context.Context) (any, error) {
			return protocol.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: "neon_role",
				Config: role})
		},
		"read": func(ctx context.Context) (any, error) {
			return protocol.ReadResource(ctx, &tfprotov6.ReadResourceRequest{TypeName: "neon_role", CurrentState: role})
		},
		"plan": func(ctx context.Context) (any, error) {
			return protocol.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{
				TypeName: "neon_role", PriorState: null, ProposedNewState: role, Config: role,
			})
		},
		"apply": func(ctx context.Context) (any, error) {
			return protocol.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{
				TypeName: "neon_role", PriorState: null, PlannedState: role, Config: role,
			})
		},
		"import": func(ctx context.Context) (any, error) {
			return protocol.ImportResourceState(ctx, &tfprotov6.ImportResourceStateRequest{TypeName: "neon_role", ID: "?"})
		},
		"validate data": func(ctx context.Context) (any, error) {
			return protocol.ValidateDataResourceConfig(ctx,
				&tfprotov6.ValidateDataResourceConfigRequest{TypeName: "neon_regions", Config: noRegions})
		},
		"read data": func(ctx context.Context) (any, error) {
			return protocol.ReadDataSource(ctx, &tfprotov6.ReadDataSourceRequest{TypeName: "neon_regions", Config: noRegions})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			carried := new(ballast)
			left := weak.Make(carried)
			if _, err := ask(context.WithValue(t.Context(), ballastKey{}, carried)); err != nil {
				t.Fatal(err)
			}
			for began := time.Now(); left.Value() != nil; runtime.GC() {
				if time.Since(began) > 10*time.Second {
					t.Fatal("the request's context is still in memory")
				}
			}
		})
	}
}
