package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// upgrade reads the state as a provider does that comes after the one which wrote it: nothing of it may be lost.
func (c *cycle) upgrade(ctx context.Context, s *session) error {
	version := s.schemas[c.resource].Version
	if c.of().Chaos.First {
		version = 0
	}
	stored, err := json.Marshal(plain(c.current.value))
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
	upgraded, err := answer.UpgradedState.Unmarshal(s.typeOf(c.resource))
	if err != nil {
		return err
	}
	if differences, _ := c.current.value.Diff(upgraded); len(differences) > 0 {
		c.surprise("an upgrade changes the state: %v", differences)
	}
	c.current.value = upgraded
	return nil
}

// plain is a value as a state file has it.
func plain(value tftypes.Value) any {
	var list []tftypes.Value
	var text string
	var truth bool
	number := new(big.Float)
	switch {
	case value.IsNull():
		return nil
	case value.As(&text) == nil:
		return text
	case value.As(&truth) == nil:
		return truth
	case value.As(&number) == nil:
		return json.Number(number.Text('g', -1))
	case value.As(&list) == nil:
		elements := make([]any, len(list))
		for i, element := range list {
			elements[i] = plain(element)
		}
		return elements
	}
	attributes := map[string]any{}
	for name, element := range elements(value) {
		attributes[name] = plain(element)
	}
	return attributes
}
