package emulator

import (
	"cmp"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var projectRoutes = []route{
	{"GET " + projectPath, forProject,
		tells("project", func(e *Emulator, c *call) object { return e.projectByItself(c.project) })},
	{"PATCH " + projectPath, forProject, withBody((*Emulator).updateProject)},
	{"DELETE " + projectPath, forProjectOwners, (*Emulator).deleteProject},
}

// projectSpec is what a request says of a new project, whose settings are checked.
type projectSpec struct {
	Name     string                       `json:"name" fits:"1..256"`
	Settings wire.Shaped[projectSettings] `json:"settings"`
	Branch   struct {
		Name         string            `json:"name" fits:"1..256"`
		RoleName     string            `json:"role_name"`
		DatabaseName string            `json:"database_name"`
		Annotations  map[string]string `json:"annotations" fits:"..50"`
	} `json:"branch"`
	MinCU            *float64      `json:"autoscaling_limit_min_cu" fits:"units"`
	MaxCU            *float64      `json:"autoscaling_limit_max_cu" fits:"units"`
	Provisioner      string        `json:"provisioner"`
	RegionID         string        `json:"region_id"`
	EndpointDefaults *sentDefaults `json:"default_endpoint_settings"`
	PgVersion        int           `json:"pg_version" fits:"14..18"`
	StorePasswords   *bool         `json:"store_passwords"`
	HistoryRetention *int64        `json:"history_retention_seconds" fits:"0..2592000"`
	OrgID            string        `json:"org_id" fits:"id,empty"`

	// ownerID is who asks, and defaults are what it comes to with the sizes that projects have; nil for these.
	ownerID  string
	defaults *endpointDefaults
}

// roleName is that of the role that owns the database.
func (spec projectSpec) roleName() string {
	return cmp.Or(spec.Branch.RoleName, cmp.Or(spec.Branch.DatabaseName, defaultDatabase)+"_owner")
}

// addProject makes a project with its default branch, a role and a database.
func (e *Emulator) addProject(spec projectSpec, now time.Time) *project {
	of := e.planOf(e.world.Orgs[spec.OrgID])
	p := &project{
		ID: wire.NewProjectID(), Name: spec.Name, OrgID: spec.OrgID, OwnerID: spec.ownerID,
		RegionID: cmp.Or(spec.RegionID, defaultRegion), Provisioner: cmp.Or(spec.Provisioner, "k8s-neonvm"),
		PostgresVersion:  cmp.Or(spec.PgVersion, defaultPostgres),
		StorePasswords:   spec.StorePasswords == nil || *spec.StorePasswords,
		HistoryRetention: min(defaultHistoryRetention, of.retention), EndpointDefaults: e.defaultSizes(of),
		Settings: defaultSettings(), CreatedAt: now, UpdatedAt: now,
		Branches: map[string]*branch{}, Endpoints: map[string]*endpoint{},
	}
	p.Name = cmp.Or(p.Name, p.ID)
	set(&p.HistoryRetention, spec.HistoryRetention)
	set(&p.EndpointDefaults, spec.defaults)
	p.changeSettings(spec.Settings, now)
	b := newBranch(p, cmp.Or(spec.Branch.Name, "main"), now)
	b.IsFirst = true
	b.CreatedBy, b.Annotation = spec.ownerID, spec.Branch.Annotations
	b.States = states{{At: now, State: "ready"}}
	p.DefaultBranchID = b.ID
	role := e.addRole(b, spec.roleName(), now)
	e.addDatabase(b, cmp.Or(spec.Branch.DatabaseName, defaultDatabase), role.Name, now)
	e.world.Projects[p.ID] = p
	return p
}

// defaultSizes are those of computes in projects that don't say.
func (e *Emulator) defaultSizes(of plan) endpointDefaults {
	if of.name != PlanFree && e.plays(doubts.ComputeSizesByDefault, "one") {
		return endpointDefaults{MinCU: 1, MaxCU: 1}
	}
	return endpointDefaults{MinCU: 0.25, MaxCU: 0.25}
}

// projectView is what all answers have of a project.
func (e *Emulator) projectView(p *project) object {
	sizeLimit := e.planOfProject(p).sizeLimit
	return unlessEmpty(object{
		"id": p.ID, "platform_id": platformOf(p.RegionID), "region_id": p.RegionID, "name": p.Name,
		"provisioner":               p.Provisioner,
		"default_endpoint_settings": p.EndpointDefaults, "settings": p.Settings, "pg_version": p.PostgresVersion,
		"proxy_host":                p.proxyHost(),
		"branch_logical_size_limit": sizeLimit, "branch_logical_size_limit_bytes": sizeLimit * mebibyte,
		"store_passwords": p.StorePasswords,
		"cpu_used_sec":    0, "creation_source": "console", "history_retention_seconds": p.HistoryRetention,
		"created_at": wire.Seconds(p.CreatedAt),
		"updated_at": wire.Seconds(p.UpdatedAt), "owner_id": p.OrgID, "org_id": p.OrgID, "synthetic_storage_size": 0,
		"hipaa_enabled_at": wire.OptionalSeconds(p.HIPAAEnabledAt),
	}, "org_id", "hipaa_enabled_at")
}

func platformOf(region string) string {
	platform, _, _ := strings.Cut(region, "-")
	return platform
}

func (e *Emulator) projectListItem(p *project) object {
	view := e.projectView(p)
	// The description doesn't have locked, the documentation's list does.
	view["active_time"], view["locked"] = 0, false
	if org := e.world.Orgs[p.OrgID]; org != nil && org.Name != "" {
		view["org_name"] = org.Name
	}
	if !p.DeletedAt.IsZero() {
		view["deleted_at"], view["recoverable_until"] = wire.Seconds(p.DeletedAt),
			wire.Seconds(p.DeletedAt.Add(recoveryPeriod))
	}
	return view
}

// projectByItself has what it has used, too, and its owner.
func (e *Emulator) projectByItself(p *project) object {
	view := e.changedProjectView(p)
	if p.OrgID != "" {
		view["org_id"] = p.OrgID
	}
	if owner := e.world.Users[p.OwnerID]; owner != nil {
		of := e.planOfProject(p)
		view["owner"] = object{"email": owner.Email, "name": owner.Name, "branches_limit": of.branches,
			"subscription_type": of.name + "_v3"}
	}
	return view
}

// changedProjectView is what changing and recovering a project answer: without the
// organization, and without its owner.
func (e *Emulator) changedProjectView(p *project) object {
	view := e.projectView(p)
	delete(view, "org_id")
	for _, used := range []string{"data_storage_bytes_hour", "data_transfer_bytes", "written_data_bytes",
		"compute_time_seconds", "active_time_seconds"} {
		view[used] = 0
	}
	// Recorded answers have the zero time for organizations' projects.
	view["consumption_period_start"], view["consumption_period_end"] = "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"
	return view
}

// updateProject was accepted by Neon while operations ran. Only another restore window waits for them, as work of the
// storage; suspensions that it takes don't.
func (e *Emulator) updateProject(c *call, body struct {
	Project struct {
		Name             *string                      `json:"name" fits:"1..256"`
		Settings         wire.Shaped[projectSettings] `json:"settings"`
		EndpointDefaults *sentDefaults                `json:"default_endpoint_settings"`
		HistoryRetention *int64                       `json:"history_retention_seconds" fits:"0..2592000"`
	} `json:"project" fits:"required"`
}) (reply, error) {
	p, change := c.project, body.Project
	of := e.planOfProject(p)
	defaults := p.EndpointDefaults
	if sent := change.EndpointDefaults; sent != nil {
		if err := defaults.merge(of, *sent, e.plays(doubts.DefaultPGSettings, "merged")); err != nil {
			return reply{}, err
		}
	}
	if err := cmp.Or(of.checkProject(change.HistoryRetention, change.Settings),
		checkSettings(p.Settings, change.Settings)); err != nil {
		return reply{}, err
	}
	var operations []*operation
	if change.HistoryRetention != nil && *change.HistoryRetention != p.HistoryRetention {
		if err := e.checkFree(p, c.now); err != nil {
			return reply{}, err
		}
		operations = e.schedule(p, c.now, work{action: "apply_storage_config"})
	}
	if p.Settings["enable_logical_replication"] != true && change.Settings["enable_logical_replication"] == true {
		operations = append(operations, e.suspendAll(c)...)
	}
	set(&p.Name, change.Name)
	set(&p.HistoryRetention, change.HistoryRetention)
	p.EndpointDefaults = defaults
	p.changeSettings(change.Settings, c.now)
	p.UpdatedAt = c.now
	return ok(map[string]any{"project": e.changedProjectView(p), "operations": operationViews(operations, c.now)})
}

// merge takes over what a request says and keeps the rest, if the plan has that.
func (d *endpointDefaults) merge(of plan, sent sentDefaults, deep bool) error {
	if err := sent.check(of, *d); err != nil {
		return err
	}
	set(&d.MinCU, sent.MinCU)
	set(&d.MaxCU, sent.MaxCU)
	set(&d.SuspendTimeout, sent.SuspendTimeout)
	if sent.PgSettings == nil {
		return nil
	}
	kept := d.PgSettings
	d.PgSettings = sent.PgSettings
	for name, value := range kept {
		if _, isSent := sent.PgSettings[name]; deep && !isSent {
			d.PgSettings[name] = value
		}
	}
	return nil
}

// deleteProject returns no operations, unlike other deletions, and running ones don't stop it.
func (e *Emulator) deleteProject(c *call) (reply, error) {
	if findIn(c.project.Branches, func(b *branch) bool { return b.Protected }) != nil {
		return reply{}, e.doubtful(doubts.DeleteProtectedProject, wire.Unprocessable("cannot delete project that has "+
			"protected branches"))
	}
	c.isOfAccounts = true
	delete(e.world.Projects, c.project.ID)
	c.project.DeletedAt = c.now
	e.addDeleted(c.project)
	e.world.removeKeysOf(c.project)
	return ok(map[string]any{"project": e.projectByItself(c.project)})
}

// sentDefaults is what a request says of the computes of a project.
type sentDefaults struct {
	computeLimits

	PgSettings wire.Shaped[map[string]string] `json:"pg_settings"`
	PgBouncer  map[string]string              `json:"pgbouncer_settings"`
}

type projectSettings struct {
	Quota struct {
		ActiveTime   int64 `json:"active_time_seconds" fits:"0.."`
		ComputeTime  int64 `json:"compute_time_seconds" fits:"0.."`
		WrittenData  int64 `json:"written_data_bytes" fits:"0.."`
		DataTransfer int64 `json:"data_transfer_bytes" fits:"0.."`
		LogicalSize  int64 `json:"logical_size_bytes" fits:"0.."`
	} `json:"quota"`
	AllowedIPs struct {
		IPs           []string `json:"ips"`
		ProtectedOnly bool     `json:"protected_branches_only"`
	} `json:"allowed_ips"`
	LogicalReplication bool `json:"enable_logical_replication"`
	MaintenanceWindow  struct {
		Weekdays []int  `json:"weekdays" fits:"required,each,1..7"`
		StartsAt string `json:"start_time" fits:"required,clock"`
		EndsAt   string `json:"end_time" fits:"required,clock"`
	} `json:"maintenance_window"`
	BlocksPublic  bool          `json:"block_public_connections"`
	BlocksVPC     bool          `json:"block_vpc_connections"`
	AuditLogLevel string        `json:"audit_log_level" fits:"=base|extended|full"`
	HIPAA         bool          `json:"hipaa"`
	Preloaded     preloadedSpec `json:"preload_libraries"`
}

var shownProjects = shown{list: "projects", ofWorld: func(e *Emulator, _ time.Time) []object {
	return objectsOf(e.world.sortedProjects(), func(p *project) object {
		return object{"id": p.ID, "name": p.Name, "org_id": p.OrgID, "created_at": wire.Seconds(p.CreatedAt)}
	})
}}
