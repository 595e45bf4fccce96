package chaos

import (
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The resources, by their names in a configuration.
const (
	personalKey       = "neon_api_key"     // #nosec G101 -- the name of a resource
	organizationKey   = "neon_org_api_key" // #nosec G101 -- the name of a resource
	branch            = "neon_branch"
	claimableDatabase = "neon_claimable_database"
)

// resources says how often each is tried: branches, which have the most to go
// wrong, more often.
var resources = []string{branch, personalKey, branch, organizationKey, branch, claimableDatabase}

// versions is how many configurations a resource goes through.
func versions(resource string) int {
	switch resource {
	case branch:
		return 3
	case claimableDatabase:
		return 1
	default:
		return 2
	}
}

// configuration is what the resource is to be, in one of its versions.
func (c *cycle) configuration(schema *tfprotov6.Schema, version int) tftypes.Value {
	given := map[string]tftypes.Value{}
	switch c.resource {
	case personalKey, organizationKey:
		given["name"] = text(c.name)
		// A key can't be changed in place: another version replaces it.
		given["rotation_triggers"] = textMap(map[string]string{"version": string(rune('0' + version))})
		if c.resource == organizationKey && c.number%4 == 3 {
			given["project_id"] = text(c.project.id)
		}
	case claimableDatabase:
		given["ref"] = text(c.name)
	case branch:
		c.configureBranch(schema, version, given)
	}
	return objectOf(schema, given)
}

// configureBranch has a branch go through all that changes in place: its name,
// its protection, its expiry, and endpoints that are added, changed and removed. An
// endpoint with a name takes a request of its own.
func (c *cycle) configureBranch(schema *tfprotov6.Schema, version int, given map[string]tftypes.Value) {
	given["project_id"] = text(c.project.id)
	if c.number%4 == 0 {
		given["parent_id"] = text(c.project.origin)
	}
	name := c.name
	suspend := 300
	endpoints := map[string]map[string]tftypes.Value{}
	switch version {
	case 0:
		if c.number%3 == 0 {
			endpoints["named"] = map[string]tftypes.Value{"type": text("read_only"), "name": text("named")}
		}
	case 1:
		suspend = 600
		if c.twin == nil { // Twins want one name.
			name = c.name + "-renamed"
		}
		given["protected"] = tftypes.NewValue(tftypes.Bool, c.number%4 < 2)
		endpoints["replica"] = map[string]tftypes.Value{"type": text("read_only")}
		endpoints["named"] = map[string]tftypes.Value{"type": text("read_only"), "name": text("named")}
	case 2:
		suspend = 900
		given["expires_at"] = text(c.began.Add(48 * time.Hour).UTC().Format(time.RFC3339))
	}
	endpoints["app"] = map[string]tftypes.Value{
		"type": text("read_write"), "suspend_timeout_seconds": tftypes.NewValue(tftypes.Number, suspend),
	}
	given["name"], given["endpoints"] = text(name), endpointsOf(schema, endpoints)
}

func endpointsOf(schema *tfprotov6.Schema, endpoints map[string]map[string]tftypes.Value) tftypes.Value {
	for _, attribute := range schema.Block.Attributes {
		if attribute.Name != "endpoints" {
			continue
		}
		element := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: attribute.NestedType.Attributes}}
		values := map[string]tftypes.Value{}
		for label, given := range endpoints {
			values[label] = objectOf(element, given)
		}
		return tftypes.NewValue(attribute.ValueType(), values)
	}
	return tftypes.Value{}
}

func textMap(texts map[string]string) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, value := range texts {
		values[name] = text(value)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}
