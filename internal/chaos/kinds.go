package chaos

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The resources, by their names in a configuration.
const (
	personalKey       = "neon_api_key"     // #nosec G101 -- the name of a resource
	organizationKey   = "neon_org_api_key" // #nosec G101 -- the name of a resource
	ownProject        = "neon_project"
	branch            = "neon_branch"
	anonymizedBranch  = "neon_anonymized_branch"
	endpoint          = "neon_endpoint"
	role              = "neon_role"
	database          = "neon_database"
	permission        = "neon_project_permission"
	assignment        = "neon_vpc_endpoint_assignment"
	restriction       = "neon_vpc_endpoint_restriction"
	snapshot          = "neon_snapshot"
	jwksURL           = "neon_jwks_url"
	schedule          = "neon_branch_backup_schedule"
	dataAPI           = "neon_data_api"
	auth              = "neon_auth"
	oauthProvider     = "neon_auth_oauth_provider"
	trustedDomain     = "neon_auth_trusted_domain"
	projectRole       = "neon_project_member_role"
	organizationRole  = "neon_org_member_role"
	invitation        = "neon_org_invitation"
	spendingLimit     = "neon_org_spending_limit"
	claimableDatabase = "neon_claimable_database"
)

// ofClaimableNeon reports which service makes a cycle's claimable database: this one deletes it, too.
func (c *cycle) ofClaimableNeon() bool { return c.number%2 == 1 }

// vpcEndpointID is the endpoint of a cycle. Neon takes none again that was removed, so that a
// person creates another one in AWS.
func (c *cycle) vpcEndpointID() string {
	id := "vpce-" + c.name
	if c.resource == assignment && len(c.deleted) > 0 {
		id += fmt.Sprintf("-%d", len(c.deleted))
	}
	return id
}

// versions is how many configurations a resource goes through.
func versions(resource string) int {
	switch resource {
	case branch, role, credential, bucket:
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
		if c.ofClaimableNeon() {
			given["engine"] = text("claimable_neon")
		}
	case ownProject:
		given["name"] = text(c.versionedName(version))
		given["default_branch"] = defaultBranch(schema, version)
	case branch:
		c.configureBranch(schema, version, given)
	case anonymizedBranch:
		c.configureAnonymized(schema, version, given)
	case permission:
		given["project_id"], given["email"] = text(c.project.id), text(addressOf(c.versionedName(version)))
	case assignment:
		given["region_id"], given["vpc_endpoint_id"] = text(vpcRegion), text(c.vpcEndpointID())
		given["label"], given["deletion_protection"] = text(c.versionedName(version)), tftypes.NewValue(tftypes.Bool, false)
	case restriction:
		given["project_id"], given["vpc_endpoint_id"] = text(c.project.id), text(c.vpcEndpointID())
		given["label"] = text(c.versionedName(version))
	case schedule, dataAPI, auth, oauthProvider, trustedDomain, projectRole, organizationRole, invitation, spendingLimit:
		c.configureSetting(schema, version, given)
	case credential, bucket, bucketObject, function, trigger, customDomain:
		c.configureBackend(schema, version, given)
	case jwksURL:
		given["project_id"], given["provider_name"] = text(c.project.id), text(c.versionedName(version))
		if c.place.branchID != "" {
			given["project_id"], given["branch_id"] = text(c.place.projectID), text(c.place.branchID)
		}
		given["jwks_url"] = text("https://" + c.name + ".example.com/jwks.json")
	case snapshot:
		given["project_id"], given["branch_id"] = c.branchOr(c.project.root)
		given["name"] = text(c.versionedName(version))
		if version == 1 {
			given["expires_at"] = text(c.began.Add(48 * time.Hour).UTC().Format(time.RFC3339))
		}
	default:
		given["project_id"], given["branch_id"] = c.branchOr(c.project.home)
		given["name"] = text(c.name)
		c.configureOnBranch(version, given)
	}
	return objectOf(schema, given)
}

// branchOr is the project and the branch of a cycle: its own, or else one of the project that it shares.
func (c *cycle) branchOr(shared string) (projectID, branchID tftypes.Value) {
	if c.place.branchID != "" {
		return text(c.place.projectID), text(c.place.branchID)
	}
	return text(c.project.id), text(shared)
}

// versionedName is the name of a resource in one of its versions. Twins want one name.
func (c *cycle) versionedName(version int) string {
	if version == 1 && c.twin == nil {
		return c.name + "-renamed"
	}
	return c.name
}

// configureOnBranch has what belongs to a branch go through its changes: a role has its
// password reset in place and is then replaced, a database is renamed and given another
// owner, and an endpoint gets other settings.
func (c *cycle) configureOnBranch(version int, given map[string]tftypes.Value) {
	switch c.resource {
	case role:
		given["password_rotation_triggers"] = textMap(map[string]string{"version": string(rune('0' + min(version, 1)))})
		given["no_login"] = tftypes.NewValue(tftypes.Bool, version == 2)
	case database:
		given["name"], given["owner_name"] = text(c.versionedName(version)), text(owners[version])
	case endpoint:
		given["type"] = text("read_only")
		given["suspend_timeout_seconds"] = tftypes.NewValue(tftypes.Number, 300*(version+1))
	}
}

// configureSetting has what exists by itself set and changed in place, and somebody invited
// with one role and then with another.
func (c *cycle) configureSetting(schema *tfprotov6.Schema, version int, given map[string]tftypes.Value) {
	role := text(settingRoles[version])
	switch c.resource {
	case schedule:
		given["project_id"], given["branch_id"] = text(c.place.projectID), text(c.place.branchID)
		given["schedule"] = entriesOf(schema, scheduledHours(version))
	case dataAPI:
		given["project_id"], given["branch_id"], given["database_name"] = text(c.place.projectID), text(c.place.branchID), text(servedDatabase)
		given["settings"] = objectOf(nested(schema, "settings"), map[string]tftypes.Value{"db_max_rows": tftypes.NewValue(tftypes.Number, servedRows[version])})
	case auth, oauthProvider, trustedDomain:
		given["project_id"], given["branch_id"] = text(c.place.projectID), text(c.place.branchID)
		c.configureAuth(version, given)
	case projectRole:
		given["project_id"], given["member_id"], given["role"] = text(c.project.id), text(c.place.memberID), role
	case organizationRole:
		given["email"], given["role"] = text(addressOf(c.name)), role
	case invitation:
		given["email"], given["role"] = text(addressOf(c.name)), role
	case spendingLimit:
		given["org_id"], given["spending_limit_cents"] = text(c.place.orgID), tftypes.NewValue(tftypes.Number, spendingLimits[version])
	}
}

// configureAuth has Neon Auth changed in place, a provider given an application of one's own, and a
// domain replaced by another.
func (c *cycle) configureAuth(version int, given map[string]tftypes.Value) {
	switch {
	case c.resource == auth:
		given["delete_data_on_destroy"] = tftypes.NewValue(tftypes.Bool, true) // Else it could not be enabled again.
		given["allow_localhost"] = tftypes.NewValue(tftypes.Bool, version == 1)
	case c.resource == trustedDomain:
		given["domain"] = text(fmt.Sprintf("https://v%d.example.com", version))
	case version == 1:
		given["client_id"], given["client_secret_wo"] = text("own"), text("chaos")
		given["client_secret_wo_version"] = text("1")
	}
	if c.resource == oauthProvider {
		given["oauth_provider"] = text("google")
	}
}

// servedDatabase is the one that a place has.
const servedDatabase = "neondb"

// settingRoles are a role's versions, spendingLimits those of a limit, in cents.
var (
	settingRoles   = []string{"viewer", "editor"}
	spendingLimits = []int64{1000, 2500}
	// servedRows are those of the most rows that a Data API returns.
	servedRows = []int64{100, 200}
)

// scheduledHours are the hours of a schedule's daily snapshots in one of its versions.
func scheduledHours(version int) []int64 { return []int64{3, 15}[:version+1] }

func entriesOf(schema *tfprotov6.Schema, hours []int64) tftypes.Value {
	element, entries := nested(schema, "schedule"), []tftypes.Value{}
	for _, hour := range hours {
		entries = append(entries, objectOf(element, map[string]tftypes.Value{
			"frequency": text("daily"), "hour": tftypes.NewValue(tftypes.Number, hour),
		}))
	}
	return tftypes.NewValue(tftypes.Set{ElementType: element.ValueType()}, entries)
}

// configureBranch has a branch go through all that changes in place: its name,
// its protection, its expiry, and endpoints that are added, changed and removed. An
// endpoint with a name takes a request of its own.
func (c *cycle) configureBranch(schema *tfprotov6.Schema, version int, given map[string]tftypes.Value) {
	projectID, parentID := c.branchOr(c.project.origin)
	given["project_id"] = projectID
	if c.number%4 == 0 || c.place.branchID != "" {
		given["parent_id"] = parentID
	}
	suspend := 300
	endpoints := map[string]map[string]tftypes.Value{}
	switch version {
	case 0:
		if c.number%3 == 0 {
			endpoints["named"] = map[string]tftypes.Value{"type": text("read_only"), "name": text("named")}
		}
	case 1:
		suspend = 600
		given["protected"] = tftypes.NewValue(tftypes.Bool, c.number%4 < 2)
		endpoints["replica"] = map[string]tftypes.Value{"type": text("read_only")}
		endpoints["named"] = map[string]tftypes.Value{"type": text("read_only"), "name": text("named")}
	case 2:
		suspend = 900
		given["protected"] = tftypes.NewValue(tftypes.Bool, false) // Left out, it would stay, and Neon refuse the expiry.
		given["expires_at"] = text(c.began.Add(48 * time.Hour).UTC().Format(time.RFC3339))
	}
	endpoints["app"] = map[string]tftypes.Value{
		"type": text("read_write"), "suspend_timeout_seconds": tftypes.NewValue(tftypes.Number, suspend),
	}
	given["name"], given["endpoints"] = text(c.versionedName(version)), endpointsOf(schema, endpoints)
}

// configureAnonymized has an anonymized branch renamed, protected, given another endpoint, and masked by other rules.
func (c *cycle) configureAnonymized(schema *tfprotov6.Schema, version int, given map[string]tftypes.Value) {
	given["project_id"], given["name"] = text(c.place.projectID), text(c.versionedName(version))
	given["protected"] = tftypes.NewValue(tftypes.Bool, version == 1 && c.number%4 < 2)
	given["endpoint"] = objectOf(nested(schema, "endpoint"), map[string]tftypes.Value{
		"suspend_timeout_seconds": tftypes.NewValue(tftypes.Number, 300*(version+1)),
	})
	element, rules := nested(schema, "masking_rules"), []tftypes.Value{}
	for _, column := range []string{"email", "phone"}[:version+1] {
		rules = append(rules, objectOf(element, map[string]tftypes.Value{
			"database_name": text("neondb"), "schema_name": text("public"), "table_name": text("people"), "column_name": text(column), "masking_value": text("NULL"),
		}))
	}
	given["masking_rules"] = tftypes.NewValue(tftypes.Set{ElementType: element.ValueType()}, rules)
}

func endpointsOf(schema *tfprotov6.Schema, endpoints map[string]map[string]tftypes.Value) tftypes.Value {
	element, values := nested(schema, "endpoints"), map[string]tftypes.Value{}
	for label, given := range endpoints {
		values[label] = objectOf(element, given)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: element.ValueType()}, values)
}

// defaultBranch has the branch that comes with a project protected, and its endpoint
// changed, in place.
func defaultBranch(schema *tfprotov6.Schema, version int) tftypes.Value {
	inside := nested(schema, "default_branch")
	return objectOf(inside, map[string]tftypes.Value{
		"protected": tftypes.NewValue(tftypes.Bool, version == 1),
		"endpoint": objectOf(nested(inside, "endpoint"), map[string]tftypes.Value{
			"suspend_timeout_seconds": tftypes.NewValue(tftypes.Number, 300*(version+1)),
		}),
	})
}

// nested is the schema of an attribute that has attributes.
func nested(schema *tfprotov6.Schema, name string) *tfprotov6.Schema {
	of := &tfprotov6.SchemaBlock{}
	for _, attribute := range schema.Block.Attributes {
		if attribute.Name == name {
			of.Attributes = attribute.NestedType.Attributes
		}
	}
	return &tfprotov6.Schema{Block: of}
}

func textMap(texts map[string]string) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, value := range texts {
		values[name] = text(value)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}
