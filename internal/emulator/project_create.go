package emulator

import (
	"encoding/json"
	"math"
	"net/http"
	"slices"
)

// The constraints of bodies about projects, after the published description.
var (
	endpointDefaultsSchema = object(fields{
		"pg_settings": stringMap(math.MaxInt), "pgbouncer_settings": stringMap(math.MaxInt),
		"autoscaling_limit_min_cu": computeUnits(), "autoscaling_limit_max_cu": computeUnits(),
		"suspend_timeout_seconds": integer(-1, 604800),
	})

	preloadLibrariesSchema = object(fields{"use_defaults": boolean(), "enabled_libraries": list(anyText())})

	counter = integer(0, math.MaxInt64)

	projectSettingsSchema = object(fields{
		"quota": object(fields{
			"active_time_seconds": counter, "compute_time_seconds": counter, "written_data_bytes": counter,
			"data_transfer_bytes": counter, "logical_size_bytes": counter,
		}),
		"allowed_ips":                object(fields{"ips": list(anyText()), "protected_branches_only": boolean()}),
		"enable_logical_replication": boolean(),
		"maintenance_window": object(fields{
			"weekdays": list(integer(1, 7)), "start_time": anyText(), "end_time": anyText(),
		}, "weekdays", "start_time", "end_time"),
		"block_public_connections": boolean(), "block_vpc_connections": boolean(),
		"audit_log_level": oneOf("base", "extended", "full"), "hipaa": boolean(),
		"preload_libraries": preloadLibrariesSchema,
	})

	projectCreateSchema = object(fields{"project": object(fields{
		"settings": projectSettingsSchema, "name": text(1, 256),
		"branch": object(fields{
			"name": text(1, 256), "role_name": anyText(), "database_name": anyText(), "annotations": stringMap(50),
		}),
		"autoscaling_limit_min_cu": computeUnits(), "autoscaling_limit_max_cu": computeUnits(),
		"provisioner": anyText(), "region_id": anyText(), "default_endpoint_settings": endpointDefaultsSchema,
		"pg_version": integer(14, 18), "store_passwords": boolean(),
		"history_retention_seconds": integer(0, 2592000), "org_id": emptyOr(matching(idPattern)),
	})}, "project")

	projectUpdateSchema = object(fields{"project": object(fields{
		"settings": projectSettingsSchema, "name": text(1, 256),
		"default_endpoint_settings": endpointDefaultsSchema, "history_retention_seconds": integer(0, 2592000),
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
		return projectSpec{}, e.doubtful("what-roles-may", refuse(http.StatusForbidden, "the role editor in the organization is required"))
	}
	of := e.planOf(org)
	if err := e.checkNewProject(org); err != nil {
		return projectSpec{}, err
	}
	if err := of.checkProject(asked.HistoryRetention, asked.Settings); err != nil {
		return projectSpec{}, err
	}
	if asked.RegionID != "" && !e.hasRegion(asked.RegionID) {
		return projectSpec{}, badRequest("region %q does not exist", asked.RegionID)
	}
	if err := e.checkDatabaseName(asked.Branch.DatabaseName); err != nil {
		return projectSpec{}, err
	}
	roleName := or(asked.Branch.RoleName, or(asked.Branch.DatabaseName, defaultDatabase)+"_owner")
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
