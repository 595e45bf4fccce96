package chaos

import (
	"fmt"
	"math/big"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// atFault says what is wrong with an object after an apply that succeeded: it isn't
// there, isn't ready, or isn't what the configuration wants. It is empty where
// nothing is.
func (c *cycle) atFault(all []object, config tftypes.Value) string {
	byID := map[string]object{}
	for _, o := range all {
		byID[o.id()] = o
	}
	id := c.current.id()
	found, ok := byID[id]
	wanted := elements(config)
	switch {
	case !ok:
		return id + " doesn't exist"
	case c.resource == claimableDatabase:
		return ""
	case found.Name != textIn(config, "name"):
		return fmt.Sprintf("%s is named %q", id, found.Name)
	case c.resource == branch:
		return c.branchAtFault(found, wanted, byID)
	}
	return ""
}

func (c *cycle) branchAtFault(o object, wanted map[string]tftypes.Value, byID map[string]object) string {
	// What a person took in was not created by this apply: its creation may have failed.
	ready := o.State == "ready" && !o.Working || c.taken > 0
	switch {
	case !ready:
		return fmt.Sprintf("branch %s is %s, and operations go on there: %t", o.id(), o.State, o.Working)
	case o.Protected != isTrue(wanted["protected"]):
		return fmt.Sprintf("branch %s is protected: %t", o.id(), o.Protected)
	case !sameTime(o.ExpiresAt, textOf(wanted["expires_at"])):
		return fmt.Sprintf("branch %s expires at %q", o.id(), o.ExpiresAt)
	}
	configured, kept := elements(wanted["endpoints"]), elements(elements(c.current.value)["endpoints"])
	for label, value := range configured {
		id := textIn(kept[label], "id")
		endpoint, ok := byID[id]
		suspend := numberIn(value, "suspend_timeout_seconds")
		switch {
		case !ok || endpoint.BranchID != o.id():
			return fmt.Sprintf("endpoint %s (%s) isn't on branch %s", id, label, o.id())
		case endpoint.State != "active" && endpoint.State != "idle" && !c.names(endpoint) && c.taken == 0:
			// One whose start was cancelled, as an error has said, starts when it is used.
			return fmt.Sprintf("endpoint %s (%s) is %s", id, label, endpoint.State)
		case endpoint.Type != textIn(value, "type") || suspend != nil && endpoint.Suspend != *suspend:
			return fmt.Sprintf("endpoint %s (%s) is of type %s and suspended after %d s", id, label, endpoint.Type, endpoint.Suspend)
		}
	}
	return ""
}

func isTrue(value tftypes.Value) bool {
	var is bool
	return !value.IsNull() && value.As(&is) == nil && is
}

func textOf(value tftypes.Value) string {
	var text string
	if value.IsNull() || value.As(&text) != nil {
		return ""
	}
	return text
}

// numberIn is a whole number of an object; nil where there is none.
func numberIn(value tftypes.Value, name string) *int64 {
	attribute := elements(value)[name]
	if attribute.Type() == nil || attribute.IsNull() {
		return nil
	}
	var number big.Float
	if attribute.As(&number) != nil {
		return nil
	}
	whole, _ := number.Int64()
	return &whole
}

// sameTime compares instants, of which both may be missing.
func sameTime(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	atA, errA := time.Parse(time.RFC3339, a)
	atB, errB := time.Parse(time.RFC3339, b)
	return errA == nil && errB == nil && atA.Equal(atB)
}
