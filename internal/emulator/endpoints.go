package emulator

import (
	"cmp"
	"encoding/json"
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

type endpointView struct {
	Host               string          `json:"host"`
	ID                 string          `json:"id"`
	Name               string          `json:"name,omitempty"`
	ProjectID          string          `json:"project_id"`
	BranchID           string          `json:"branch_id"`
	MinCU              float64         `json:"autoscaling_limit_min_cu"`
	MaxCU              float64         `json:"autoscaling_limit_max_cu"`
	RegionID           string          `json:"region_id"`
	Type               string          `json:"type"`
	CurrentState       string          `json:"current_state"`
	PendingState       string          `json:"pending_state,omitempty"`
	Settings           json.RawMessage `json:"settings"`
	PoolerEnabled      bool            `json:"pooler_enabled"`
	PoolerMode         string          `json:"pooler_mode"`
	Disabled           bool            `json:"disabled"`
	PasswordlessAccess bool            `json:"passwordless_access"`
	LastActive         string          `json:"last_active"`
	CreationSource     string          `json:"creation_source"`
	CreatedAt          string          `json:"created_at"`
	UpdatedAt          string          `json:"updated_at"`
	StartedAt          string          `json:"started_at,omitempty"`
	SuspendedAt        string          `json:"suspended_at,omitempty"`
	ProxyHost          string          `json:"proxy_host"`
	SuspendTimeout     int64           `json:"suspend_timeout_seconds"`
	Provisioner        string          `json:"provisioner"`
	newerEndpointFields
}

// newerEndpointFields are those of samples of 2026.
type newerEndpointFields struct {
	Slug        string            `json:"slug,omitempty"`
	BranchSlug  string            `json:"branch_slug,omitempty"`
	ProjectSlug string            `json:"project_slug,omitempty"`
	Hosts       map[string]string `json:"hosts,omitempty"`
	Group       map[string]any    `json:"group,omitempty"`
}

func (endpoint *endpoint) newerFields(p *project, now time.Time) newerEndpointFields {
	return newerEndpointFields{
		Slug: endpoint.ID, BranchSlug: endpoint.BranchID, ProjectSlug: p.ID,
		Hosts: map[string]string{endpoint.Type + "_host": endpoint.Host,
			endpoint.Type + "_pooled_host": pooled(endpoint.Host)},
		Group: map[string]any{
			"size": map[string]int{"min": 1, "max": 1}, "allow_readable_secondaries": endpoint.Type == readOnly,
			"computes": []map[string]string{{"current_state": endpoint.States.current(now), "role": endpoint.Type,
				"compute_host": endpoint.Host}},
		},
	}
}

func (e *Emulator) endpointView(p *project, endpoint *endpoint, now time.Time) endpointView {
	settings, _ := json.Marshal(endpoint.Settings) // It came from JSON.
	v := endpointView{
		Host: endpoint.Host, ID: endpoint.ID, Name: endpoint.Name, ProjectID: p.ID, BranchID: endpoint.BranchID,
		MinCU: endpoint.MinCU, MaxCU: endpoint.MaxCU, RegionID: p.RegionID, Type: endpoint.Type,
		CurrentState: endpoint.States.current(now), PendingState: endpoint.States.pending(now), Settings: settings,
		PoolerEnabled: endpoint.Pooler, PoolerMode: "transaction", Disabled: endpoint.Disabled,
		LastActive: wire.Seconds(endpoint.lastActive(now)), CreationSource: "console",
		CreatedAt: wire.Seconds(endpoint.CreatedAt), UpdatedAt: wire.Seconds(endpoint.UpdatedAt),
		ProxyHost: p.proxyHost(), SuspendTimeout: endpoint.SuspendTimeout, Provisioner: endpoint.Provisioner,
	}
	if e.plays(doubts.NewerFields, "told") {
		v.newerEndpointFields = endpoint.newerFields(p, now)
	}
	since := wire.Seconds(endpoint.States.since(now))
	switch v.CurrentState {
	case "active":
		v.StartedAt = since
	case "idle":
		v.SuspendedAt = since
	}
	return v
}

func (e *Emulator) endpointViews(p *project, branchID string, now time.Time) []endpointView {
	return viewsOf(p.endpointsOf(branchID), func(endpoint *endpoint) endpointView {
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
