package acctest

import (
	"context"
	"encoding/json"
	"fmt"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// State is the state that a step leaves.
type State struct{ shown *tfjson.State }

// Resource returns the attributes of what is at an address; nil where nothing is.
func (s State) Resource(address string) map[string]any {
	if s.shown.Values == nil {
		return nil
	}
	for _, resource := range s.shown.Values.RootModule.Resources {
		if resource.Address == address {
			return resource.AttributeValues
		}
	}
	return nil
}

// Texts returns those attributes that are neither null nor lists, as text. Those of an object or a
// map have its name before them, such as endpoints.main.id.
func (s State) Texts(address string) map[string]string {
	texts := map[string]string{}
	addTexts(texts, "", s.Resource(address))
	return texts
}

func addTexts(texts map[string]string, prefix string, attributes map[string]any) {
	for name, value := range attributes {
		switch value := value.(type) {
		case nil, []any:
		case map[string]any:
			addTexts(texts, prefix+name+".", value)
		default:
			texts[prefix+name] = fmt.Sprint(value)
		}
	}
}

// After checks what a step leaves, in the state or on Neon.
func After(check func(State) error) statecheck.StateCheck { return after(check) }

type after func(State) error

// CheckState runs the check.
func (a after) CheckState(_ context.Context, req statecheck.CheckStateRequest, resp *statecheck.CheckStateResponse) {
	resp.Error = a(State{req.State})
}

// String is all of the state, as JSON.
func (s State) String() string {
	text, err := json.Marshal(s.shown.Values)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
