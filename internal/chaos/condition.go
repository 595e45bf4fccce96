package chaos

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// atFault says what is wrong with an object after an apply that succeeded: it isn't there, isn't ready, or isn't what
// the configuration wants. It is empty where nothing is.
func (c *cycle) atFault(ctx context.Context, p reader, all []object, config cty.Value, version int) string {
	byID := map[string]object{}
	for _, o := range all {
		byID[o.id()] = o
	}
	found, ok := byID[c.current.id()]
	if !ok {
		return c.current.id() + " doesn't exist"
	}
	if fault := c.notReady(found, config, byID); fault != "" {
		return fault
	}
	values, err := c.values(version)
	if err != nil {
		return err.Error()
	}
	if fault := c.notDifferent(found, values); fault != "" {
		return fault
	}
	return c.notAsConfigured(ctx, p, values)
}

// notReady is what the API doesn't say of a branch and an endpoint.
func (c *cycle) notReady(found object, config cty.Value, byID map[string]object) string {
	switch wanted := elements(config); c.resource {
	case branch:
		return c.branchAtFault(found, wanted, byID)
	case endpoint:
		return c.endpointAtFault(found, textOf(wanted["branch_id"]), config)
	default:
		return ""
	}
}

// reader reads what a call of Neon's API returns.
type reader interface {
	read(ctx context.Context, path string) (any, error)
}

// notAsConfigured compares what Neon has with the values of a version.
func (c *cycle) notAsConfigured(ctx context.Context, p reader, values map[string]cty.Value) string {
	answers := map[string]any{}
	for _, check := range c.of().Checks(values, isPlaced, c.texts()) {
		path, within := c.of().Place(check.Field, c.attribute)
		answer, ok := answers[path]
		if !ok {
			var err error
			if answer, err = p.read(ctx, path); err != nil {
				if ctx.Err() != nil {
					return ""
				}
				return err.Error()
			}
			answers[path] = answer
		}
		got := c.of().In(answer, within, c.attribute)
		if nouns.Matches(got, check.Want) == check.IsNot {
			return fmt.Sprintf("%s of %s is %v; that it is %s is wanted: %t", within, path, got, check.Says(), !check.IsNot)
		}
	}
	return ""
}

// attribute is one of the state, whose name has dots where it is a nested one.
func (c *cycle) attribute(name string) string {
	value := c.current.value
	for part := range strings.SplitSeq(name, ".") {
		value = elements(value)[part]
	}
	return textOf(value)
}

// distinct is a field of an object of the emulator's, with the value of the attribute that makes it another one.
type distinct struct{ of, value, field string }

// notDifferent compares the fields that another value makes another with what they were, as long as it is the same
// object.
func (c *cycle) notDifferent(o object, values map[string]cty.Value) string {
	if c.shown == nil {
		c.shown = map[string]distinct{}
	}
	for _, attribute := range slices.Sorted(maps.Keys(c.of().Chaos.Differs)) {
		name := c.of().Chaos.Differs[attribute]
		top, inside, _ := strings.Cut(attribute, ".")
		was, isKnown := c.shown[attribute]
		now := distinct{fmt.Sprint(o.id(), c.taken, len(c.deleted)), fmt.Sprintf("%#v", nouns.Within(values[top], inside)),
			o.field(name)}
		c.shown[attribute] = now
		if isKnown && was.of == now.of && was.value != now.value && was.field == now.field {
			return fmt.Sprintf("%s has %s %s as before, though %s is another one", o.id(), name, now.field, attribute)
		}
	}
	return ""
}

func (c *cycle) branchAtFault(o object, wanted map[string]cty.Value, byID map[string]object) string {
	// What a person took in or restored was not created by this apply: its creation may have failed.
	ready := o.State == "ready" && !o.Working || c.taken > 0 || c.restored
	switch {
	case !ready:
		return fmt.Sprintf("branch %s is %s, and operations go on there: %t", o.id(), o.State, o.Working)
	case o.Protected != (textOf(wanted["protected"]) == "true"):
		return fmt.Sprintf("branch %s is protected: %t", o.id(), o.Protected)
	case !nouns.SameTime(o.ExpiresAt, textOf(wanted["expires_at"])):
		return fmt.Sprintf("branch %s expires at %q", o.id(), o.ExpiresAt)
	}
	configured, kept := elements(wanted["endpoints"]), elements(elements(c.current.value)["endpoints"])
	for label, value := range configured {
		id := textIn(kept[label], "id")
		if fault := c.endpointAtFault(byID[id], o.id(), value); fault != "" {
			return fmt.Sprintf("endpoint %s (%s) %s", id, label, fault)
		}
	}
	return ""
}

func (c *cycle) endpointAtFault(o object, branchID string, wanted cty.Value) string {
	suspend := textIn(wanted, "suspend_timeout_seconds")
	switch {
	case o.BranchID != branchID:
		return "isn't on branch " + branchID
	case o.State != "active" && o.State != "idle" && !c.names(o) && c.taken == 0 && !c.restored:
		// One whose start was cancelled, as an error has said, starts when it is used.
		return "is " + o.State
	case o.Type != textIn(wanted, "type") || suspend != "" && fmt.Sprint(o.Suspend) != suspend:
		return fmt.Sprintf("is of type %s and suspended after %d s", o.Type, o.Suspend)
	}
	return ""
}
