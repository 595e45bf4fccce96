package chaos

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// upgrade reads the state as a provider does that comes after the one which wrote it: nothing of it may be lost.
func (c *cycle) upgrade(ctx context.Context, s *session) error {
	version := s.schemas[c.resource].Version
	if c.of().Chaos.First {
		version = 0
	}
	stored, err := ctyjson.Marshal(c.current.value, c.current.value.Type())
	if err != nil {
		return err
	}
	answer, err := s.server.UpgradeResourceState(ctx, &tfprotov6.UpgradeResourceStateRequest{
		TypeName: c.resource, Version: version, RawState: &tfprotov6.RawState{JSON: stored},
	})
	if err != nil {
		return err
	}
	words, err := said(answer.Diagnostics)
	if c.heard(fmt.Sprintf("upgrade from version %d", version), words, err); err != nil {
		return err
	}
	upgraded, err := planning.Decode(answer.UpgradedState, c.current.value.Type())
	if err != nil {
		return err
	}
	if difference := planning.Agrees(c.resource, c.current.value, upgraded); difference != nil {
		c.surprise("an upgrade changes the state: %v", difference)
	}
	c.current.value = upgraded
	return nil
}
