package emulator

import (
	"cmp"
	"maps"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// computeLimits is what a request says of when a compute runs and how large it is; nil where it is silent.
type computeLimits struct {
	MinCU          *float64 `json:"autoscaling_limit_min_cu" fits:"units"`
	MaxCU          *float64 `json:"autoscaling_limit_max_cu" fits:"units"`
	SuspendTimeout *int64   `json:"suspend_timeout_seconds" fits:"-1..604800"`
}

// computeSpec is what a request says of a compute.
type computeSpec struct {
	computeLimits

	Provisioner string                        `json:"provisioner"`
	Settings    wire.Shaped[endpointSettings] `json:"settings"`
}

type endpointSettings struct {
	PgSettings map[string]string `json:"pg_settings"`
	PgBouncer  map[string]string `json:"pgbouncer_settings"`
	Preloaded  preloadedSpec     `json:"preload_libraries"`
}

type preloadedSpec struct {
	UseDefaults bool     `json:"use_defaults"`
	Enabled     []string `json:"enabled_libraries"`
}

// endpointSpec is the same of an endpoint.
type endpointSpec struct {
	computeSpec

	BranchID     string  `json:"branch_id" fits:"id"`
	RegionID     string  `json:"region_id"`
	Type         string  `json:"type" fits:"=read_only|read_write"`
	Name         *string `json:"name" fits:"1..64"`
	Disabled     *bool   `json:"disabled"`
	Pooler       *bool   `json:"pooler_enabled"`
	PoolerMode   string  `json:"pooler_mode" fits:"=transaction"`
	Passwordless bool    `json:"passwordless_access"`
}

func errSecondWriter() error { return wire.Conflict("read_write endpoint already exists") }

// check refuses settings that don't go together or that the plan doesn't have, with these
// defaults for those that aren't given.
func (s computeLimits) check(of plan, defaults endpointDefaults) error {
	least, most := defaults.MinCU, defaults.MaxCU
	set(&least, s.MinCU)
	set(&most, s.MaxCU)
	if err := of.checkCompute(least, most); err != nil {
		return err
	}
	if s.SuspendTimeout != nil {
		return of.checkSuspendTimeout(*s.SuspendTimeout)
	}
	return nil
}

// apply sets what the request gives, and says whether the compute has to be told.
func (s endpointSpec) apply(endpoint *endpoint) (told bool) {
	before := *endpoint
	set(&endpoint.MinCU, s.MinCU)
	set(&endpoint.MaxCU, s.MaxCU)
	set(&endpoint.SuspendTimeout, s.SuspendTimeout)
	set(&endpoint.Disabled, s.Disabled)
	set(&endpoint.Pooler, s.Pooler)
	endpoint.Provisioner = cmp.Or(s.Provisioner, endpoint.Provisioner)
	if s.Settings != nil {
		endpoint.Settings = s.Settings
	}
	// A name is the control plane's business alone.
	told = s.MinCU != nil || s.MaxCU != nil || s.SuspendTimeout != nil || s.Settings != nil ||
		endpoint.Disabled != before.Disabled || endpoint.Pooler != before.Pooler || endpoint.Provisioner != before.Provisioner
	set(&endpoint.Name, s.Name)
	return told
}

func set[T any](field *T, given *T) {
	if given != nil {
		*field = *given
	}
}

// addEndpoint makes an endpoint, which is idle until something starts it.
func (e *Emulator) addEndpoint(p *project, b *branch, spec endpointSpec, now time.Time) *endpoint {
	made := &endpoint{
		ID: wire.NewEndpointID(), BranchID: b.ID, Type: spec.Type,
		MinCU: p.EndpointDefaults.MinCU, MaxCU: p.EndpointDefaults.MaxCU, SuspendTimeout: p.EndpointDefaults.SuspendTimeout,
		Provisioner: p.Provisioner, Settings: map[string]any{}, CreatedAt: now, UpdatedAt: now,
		States: states{{At: now, State: "idle"}},
	}
	if p.EndpointDefaults.PgSettings != nil {
		made.Settings["pg_settings"] = maps.Clone(p.EndpointDefaults.PgSettings)
	}
	made.Host = made.ID + "." + p.proxyHost()
	spec.apply(made)
	p.Endpoints[made.ID], p.touched = made, append(p.touched, made.ID)
	return made
}

// newerFields are those of samples of 2026.
func (endpoint *endpoint) newerFields(p *project, now time.Time) object {
	return object{
		"slug": endpoint.ID, "branch_slug": endpoint.BranchID, "project_slug": p.ID,
		"hosts": map[string]string{endpoint.Type + "_host": endpoint.Host,
			endpoint.Type + "_pooled_host": pooled(endpoint.Host)},
		"group": map[string]any{
			"size": map[string]int{"min": 1, "max": 1}, "allow_readable_secondaries": endpoint.Type == readOnly,
			"computes": []map[string]string{{"current_state": endpoint.States.current(now), "role": endpoint.Type,
				"compute_host": endpoint.Host}},
		},
	}
}

func (e *Emulator) endpointView(p *project, endpoint *endpoint, now time.Time) object {
	state, since := endpoint.States.at(now)
	view := unlessEmpty(object{
		"host": endpoint.Host, "id": endpoint.ID, "name": endpoint.Name, "project_id": p.ID, "branch_id": endpoint.BranchID,
		"autoscaling_limit_min_cu": endpoint.MinCU, "autoscaling_limit_max_cu": endpoint.MaxCU, "region_id": p.RegionID,
		"type": endpoint.Type, "current_state": state, "pending_state": endpoint.States.pending(now),
		"settings": endpoint.Settings, "pooler_enabled": endpoint.Pooler, "pooler_mode": "transaction",
		"disabled": endpoint.Disabled, "passwordless_access": false, "last_active": wire.Seconds(endpoint.lastActive(now)),
		"creation_source": "console", "created_at": wire.Seconds(endpoint.CreatedAt),
		"updated_at": wire.Seconds(endpoint.UpdatedAt), "proxy_host": p.proxyHost(),
		"suspend_timeout_seconds": endpoint.SuspendTimeout, "provisioner": endpoint.Provisioner,
	}, "name", "pending_state")
	switch state {
	case "active":
		view["started_at"] = wire.Seconds(since)
	case "idle":
		view["suspended_at"] = wire.Seconds(since)
	}
	if e.plays(doubts.NewerFields, "told") {
		maps.Copy(view, endpoint.newerFields(p, now))
	}
	return view
}

func (e *Emulator) endpointViews(p *project, branchID string, now time.Time) []object {
	return viewsOf(p.endpointsOf(branchID), func(endpoint *endpoint) object {
		return e.endpointView(p, endpoint, now)
	})
}

var shownEndpoints = shown{list: "endpoints", ofProject: func(_ *Emulator, p *project, now time.Time) []object {
	return objectsOf(p.endpointsOf(""), func(endpoint *endpoint) object {
		return object{
			"id": endpoint.ID, "name": endpoint.Name, "branch_id": endpoint.BranchID, "type": endpoint.Type,
			"created_at":    wire.Seconds(endpoint.CreatedAt),
			"current_state": endpoint.States.current(now), "suspend_timeout_seconds": endpoint.SuspendTimeout,
		}
	})
}}
