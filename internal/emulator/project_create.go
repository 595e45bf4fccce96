package emulator

import (
	"cmp"
	"encoding/json"
	"math"
	"net/http"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// The constraints of bodies about projects, after the published description.
var (
	endpointDefaultsSchema = wire.Object(wire.Fields{
		"pg_settings": wire.StringMap(math.MaxInt), "pgbouncer_settings": wire.StringMap(math.MaxInt),
		"autoscaling_limit_min_cu": wire.ComputeUnits(), "autoscaling_limit_max_cu": wire.ComputeUnits(),
		"suspend_timeout_seconds": wire.Integer(-1, 604800),
	})

	preloadLibrariesSchema = wire.Object(wire.Fields{"use_defaults": wire.Boolean(), "enabled_libraries": wire.List(wire.AnyText())})

	counter = wire.Integer(0, math.MaxInt64)

	projectSettingsSchema = wire.Object(wire.Fields{
		"quota": wire.Object(wire.Fields{
			"active_time_seconds": counter, "compute_time_seconds": counter, "written_data_bytes": counter,
			"data_transfer_bytes": counter, "logical_size_bytes": counter,
		}),
		"allowed_ips":                wire.Object(wire.Fields{"ips": wire.List(wire.AnyText()), "protected_branches_only": wire.Boolean()}),
		"enable_logical_replication": wire.Boolean(),
		"maintenance_window": wire.Object(wire.Fields{
			"weekdays": wire.List(wire.Integer(1, 7)), "start_time": wire.AnyText(), "end_time": wire.AnyText(),
		}, "weekdays", "start_time", "end_time"),
		"block_public_connections": wire.Boolean(), "block_vpc_connections": wire.Boolean(),
		"audit_log_level": wire.OneOf("base", "extended", "full"), "hipaa": wire.Boolean(),
		"preload_libraries": preloadLibrariesSchema,
	})

	projectCreateSchema = wire.Object(wire.Fields{"project": wire.Object(wire.Fields{
		"settings": projectSettingsSchema, "name": wire.Text(1, 256),
		"branch": wire.Object(wire.Fields{
			"name": wire.Text(1, 256), "role_name": wire.AnyText(), "database_name": wire.AnyText(), "annotations": wire.StringMap(50),
		}),
		"autoscaling_limit_min_cu": wire.ComputeUnits(), "autoscaling_limit_max_cu": wire.ComputeUnits(),
		"provisioner": wire.AnyText(), "region_id": wire.AnyText(), "default_endpoint_settings": endpointDefaultsSchema,
		"pg_version": wire.Integer(14, 18), "store_passwords": wire.Boolean(),
		"history_retention_seconds": wire.Integer(0, 2592000), "org_id": wire.EmptyOr(wire.Matching(wire.IDPattern)),
	})}, "project")

	projectUpdateSchema = wire.Object(wire.Fields{"project": wire.Object(wire.Fields{
		"settings": projectSettingsSchema, "name": wire.Text(1, 256),
		"default_endpoint_settings": endpointDefaultsSchema, "history_retention_seconds": wire.Integer(0, 2592000),
	})}, "project")
)

type projectCreateBody struct {
	Project struct {
		Name     string         `json:"name"`
		Settings map[string]any `json:"settings"`
		Branch   struct {
			Name         string            `json:"name"`
			RoleName     string            `json:"role_name"`
			DatabaseName string            `json:"database_name"`
			Annotations  map[string]string `json:"annotations"`
		} `json:"branch"`
		MinCU            *float64        `json:"autoscaling_limit_min_cu"`
		MaxCU            *float64        `json:"autoscaling_limit_max_cu"`
		Provisioner      string          `json:"provisioner"`
		RegionID         string          `json:"region_id"`
		EndpointDefaults json.RawMessage `json:"default_endpoint_settings"`
		PgVersion        int             `json:"pg_version"`
		StorePasswords   *bool           `json:"store_passwords"`
		HistoryRetention *int64          `json:"history_retention_seconds"`
		OrgID            string          `json:"org_id"`
	} `json:"project"`
}

// createProject answers POST /projects.
func (e *Emulator) createProject(c *call) (reply, error) {
	var body projectCreateBody
	if err := c.decode(projectCreateSchema, &body); err != nil {
		return reply{}, err
	}
	spec, err := e.projectSpec(c, body)
	if err != nil {
		return reply{}, err
	}
	p := e.addProject(spec, c.now)
	b := p.Branches[p.DefaultBranchID]
	endpoint := e.addEndpoint(p, b, endpointSpec{Type: readWrite}, c.now)
	operations := e.schedule(p, c.now, work{b.ID, "", "create_timeline"}, work{b.ID, endpoint.ID, "start_compute"})
	b.States = states{{At: c.now, State: "init"}}.then(operations[0].effectAt(), c.now, "ready")
	endpoint.States = states{{At: c.now, State: "init"}}.then(operations[1].effectAt(), c.now, "active")
	role := b.Roles[0].view(b)
	role.Password = e.world.secret(b.Roles[0].Password)
	return reply{http.StatusCreated, map[string]any{
		"project":         e.projectView(p),
		"connection_uris": []connectionDetails{e.connection(endpoint, b.Roles[0], b.Databases[0])},
		"roles":           []roleView{role},
		"databases":       []databaseView{b.Databases[0].view(b)},
		"operations":      operationViews(operations, c.now),
		"branch":          p.branchView(b, c.now, e),
		"endpoints":       []endpointView{e.endpointView(p, endpoint, c.now)},
	}}, nil
}

// projectSpec reads what is asked for, and who asks.
func (e *Emulator) projectSpec(c *call, body projectCreateBody) (projectSpec, error) {
	asked := body.Project
	org, err := e.organization(c, asked.OrgID)
	if err != nil {
		return projectSpec{}, err
	}
	if m := c.callerIn(org); m != nil && slices.Index(projectRoles, roleByDefault(m.Role)) < slices.Index(projectRoles, "editor") {
		return projectSpec{}, e.doubtful("what-roles-may", wire.Refuse(http.StatusForbidden, "the role editor in the organization is required"))
	}
	of := e.planOf(org)
	if err := e.checkNewProject(org); err != nil {
		return projectSpec{}, err
	}
	if err := of.checkProject(asked.HistoryRetention, asked.Settings); err != nil {
		return projectSpec{}, err
	}
	if asked.RegionID != "" && !e.hasRegion(asked.RegionID) {
		return projectSpec{}, wire.BadRequest("region %q does not exist", asked.RegionID)
	}
	if err := e.checkDatabaseName(asked.Branch.DatabaseName); err != nil {
		return projectSpec{}, err
	}
	roleName := cmp.Or(asked.Branch.RoleName, cmp.Or(asked.Branch.DatabaseName, defaultDatabase)+"_owner")
	if err := e.checkRoleName(roleName); err != nil {
		return projectSpec{}, err
	}
	defaults := e.defaultSizes(of)
	if asked.MinCU != nil {
		defaults.MinCU = *asked.MinCU
		defaults.MaxCU = max(defaults.MaxCU, defaults.MinCU)
	}
	if asked.MaxCU != nil {
		defaults.MaxCU = *asked.MaxCU
	}
	settings := asked.EndpointDefaults
	if settings == nil {
		settings = json.RawMessage("{}")
	}
	if err := defaults.merge(of, settings, false); err != nil {
		return projectSpec{}, err
	}
	return projectSpec{
		Name: asked.Name, OrgID: org.ID, OwnerID: c.key.UserID, RegionID: asked.RegionID, Provisioner: asked.Provisioner,
		PostgresVersion: asked.PgVersion, DiscardPasswords: asked.StorePasswords != nil && !*asked.StorePasswords,
		HistoryRetention: asked.HistoryRetention, EndpointDefaults: &defaults, Settings: asked.Settings,
		BranchName: asked.Branch.Name, RoleName: roleName, DatabaseName: asked.Branch.DatabaseName,
		Annotation: asked.Branch.Annotations,
	}, nil
}
