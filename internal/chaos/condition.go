package chaos

import (
	"fmt"
	"math/big"
	"slices"
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
	case c.isBackend():
		return c.backendAtFault(found, config)
	case c.isSetting():
		return c.settingAtFault(found, config)
	case found.Email != textIn(config, "email"):
		return fmt.Sprintf("%s is for %q", id, found.Email)
	case found.Name != textIn(config, "name")+textIn(config, "label")+textIn(config, "provider_name"):
		return fmt.Sprintf("%s is named %q", id, found.Name)
	case found.URL != textIn(config, "jwks_url"):
		return fmt.Sprintf("%s is at %s", id, found.URL)
	case c.resource == branch:
		return c.branchAtFault(found, wanted, byID)
	case c.resource == anonymizedBranch:
		return c.anonymizedAtFault(found, wanted, byID)
	case c.resource == snapshot && !sameTime(found.ExpiresAt, textOf(wanted["expires_at"])):
		return fmt.Sprintf("snapshot %s expires at %q", id, found.ExpiresAt)
	case c.resource == ownProject:
		return c.projectAtFault(elements(wanted["default_branch"]), byID)
	case c.resource == endpoint:
		return c.endpointAtFault(found, textOf(wanted["branch_id"]), config)
	case found.NoLogin != isTrue(wanted["no_login"]):
		return fmt.Sprintf("role %s can't log in: %t", id, found.NoLogin)
	case found.Owner != textOf(wanted["owner_name"]) && c.resource == database:
		return fmt.Sprintf("database %s belongs to %q", id, found.Owner)
	}
	return ""
}

// isSetting reports whether the resource is one of what is there by itself, or says what
// somebody may do: it has no name.
func (c *cycle) isSetting() bool {
	switch c.resource {
	case schedule, dataAPI, auth, oauthProvider, trustedDomain, projectRole, organizationRole, invitation, spendingLimit:
		return true
	default:
		return false
	}
}

// settingAtFault compares what is set with the configuration.
func (c *cycle) settingAtFault(o object, config tftypes.Value) string {
	switch c.resource {
	case schedule:
		if hours := hoursIn(config); !slices.Equal(o.hours(), hours) {
			return fmt.Sprintf("the schedule of branch %s is at %d, not at %d", o.BranchID, o.hours(), hours)
		}
	case dataAPI:
		if rows := numberIn(elements(config)["settings"], "db_max_rows"); o.Settings.MaxRows != *rows {
			return fmt.Sprintf("the Data API of branch %s returns %d rows, not %d", o.BranchID, o.Settings.MaxRows, *rows)
		}
	case auth:
		if allow := isTrue(elements(config)["allow_localhost"]); o.AllowLocalhost != allow {
			return fmt.Sprintf("Neon Auth of branch %s allows localhost: %t", o.BranchID, o.AllowLocalhost)
		}
	case oauthProvider:
		if id := textIn(config, "client_id"); o.ClientID != id {
			return fmt.Sprintf("OAuth provider %s has client id %q, not %q", o.id(), o.ClientID, id)
		}
	case trustedDomain: // Its id says all.
	case spendingLimit:
		if cents := numberIn(config, "spending_limit_cents"); o.Cents != *cents {
			return fmt.Sprintf("the limit of %s is %d cents, not %d", o.OrgID, o.Cents, *cents)
		}
	default:
		if wanted := textIn(config, "role"); o.Role != wanted || c.resource == invitation && o.Email != textIn(config, "email") {
			return fmt.Sprintf("%s is for %s with the role %q, not %q", o.id(), o.Email, o.Role, wanted)
		}
	}
	return ""
}

// hoursIn are those of the daily snapshots that a schedule is configured with.
func hoursIn(config tftypes.Value) []int64 {
	var entries []tftypes.Value
	_ = elements(config)["schedule"].As(&entries) // It is this package's own.
	var hours []int64
	for _, entry := range entries {
		hours = append(hours, *numberIn(entry, "hour"))
	}
	slices.Sort(hours)
	return hours
}

func (c *cycle) branchAtFault(o object, wanted map[string]tftypes.Value, byID map[string]object) string {
	// What a person took in or restored was not created by this apply: its creation may have failed.
	ready := o.State == "ready" && !o.Working || c.taken > 0 || c.restored
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
		if fault := c.endpointAtFault(byID[id], o.id(), value); fault != "" {
			return fmt.Sprintf("endpoint %s (%s) %s", id, label, fault)
		}
	}
	return ""
}

func (c *cycle) anonymizedAtFault(o object, wanted map[string]tftypes.Value, byID map[string]object) string {
	var rules []tftypes.Value
	_ = wanted["masking_rules"].As(&rules) // It is this package's own.
	switch {
	case o.Anonymization != "anonymized" || o.MaskedColumns != len(rules):
		return fmt.Sprintf("branch %s is %s by %d rules, not %d", o.id(), o.Anonymization, o.MaskedColumns, len(rules))
	case o.Protected != isTrue(wanted["protected"]):
		return fmt.Sprintf("branch %s is protected: %t", o.id(), o.Protected)
	}
	id, suspend := textIn(elements(c.current.value)["endpoint"], "id"), numberIn(wanted["endpoint"], "suspend_timeout_seconds")
	if compute := byID[id]; compute.BranchID != o.id() || compute.Suspend != *suspend {
		return fmt.Sprintf("endpoint %s of branch %s is suspended after %d s", id, o.id(), compute.Suspend)
	}
	return ""
}

// projectAtFault compares the default branch of a project, and its endpoint.
func (c *cycle) projectAtFault(wanted map[string]tftypes.Value, byID map[string]object) string {
	kept := elements(elements(c.current.value)["default_branch"])
	id := textOf(kept["id"])
	found, compute := byID[id], byID[textIn(kept["endpoint"], "id")]
	suspend := numberIn(wanted["endpoint"], "suspend_timeout_seconds")
	switch {
	case found.ProjectID != c.current.id():
		return fmt.Sprintf("branch %s isn't in project %s", id, c.current.id())
	case found.Protected != isTrue(wanted["protected"]):
		return fmt.Sprintf("branch %s is protected: %t", id, found.Protected)
	case compute.BranchID != id || compute.Suspend != *suspend:
		return fmt.Sprintf("endpoint %s of branch %s is suspended after %d s", compute.id(), compute.BranchID, compute.Suspend)
	}
	return ""
}

func (c *cycle) endpointAtFault(o object, branchID string, wanted tftypes.Value) string {
	suspend := numberIn(wanted, "suspend_timeout_seconds")
	switch {
	case o.BranchID != branchID:
		return "isn't on branch " + branchID
	case o.State != "active" && o.State != "idle" && !c.names(o) && c.taken == 0 && !c.restored:
		// One whose start was cancelled, as an error has said, starts when it is used.
		return "is " + o.State
	case o.Type != textIn(wanted, "type") || suspend != nil && o.Suspend != *suspend:
		return fmt.Sprintf("is of type %s and suspended after %d s", o.Type, o.Suspend)
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
