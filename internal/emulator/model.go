package emulator

import (
	"fmt"
	"strings"
	"time"
)

const region = "aws-us-east-2"

type project struct {
	ID, name   string
	created    time.Time
	branches   []*branch
	byID       map[string]*branch
	names      map[string]*branch
	endpoints  []*endpoint
	operations []*operation
}

type branch struct {
	id, parentID, name, lsn, initSource string
	timestamp                           string
	created, updated, ready             time.Time
	isDefault, protected                bool
	expires                             time.Time
	annotation                          map[string]string
	children                            int
	password                            string
}

type endpoint struct {
	id, branchID, kind, name string
	min, max                 float64
	suspend                  int64
	disabled                 bool
	created, ready           time.Time
}

func (e *Emulator) newProject(name string) *project {
	now := e.now()
	p := &project{ID: newName() + "-" + digits(8), name: name, created: now, byID: map[string]*branch{}, names: map[string]*branch{}}
	main := e.newBranch(p, "main", nil)
	main.isDefault, main.ready = true, now
	e.newEndpoint(p, main.id, "read_write").ready = now
	e.project[p.ID] = p
	e.order = append(e.order, p.ID)
	return p
}

func (e *Emulator) newBranch(p *project, name string, parent *branch) *branch {
	now := e.now()
	b := &branch{id: "br-" + newName() + "-" + letters(8), name: name, created: now, updated: now, ready: now, password: "npg_" + letters(16)}
	if name == "" {
		b.name = b.id
	}
	if parent != nil {
		b.parentID, b.password = parent.id, parent.password
		parent.children++
	}
	e.secrets = append(e.secrets, b.password)
	p.branches = append(p.branches, b)
	p.byID[b.id], p.names[b.name] = b, b
	return b
}

func (e *Emulator) newEndpoint(p *project, branchID, kind string) *endpoint {
	now := e.now()
	ep := &endpoint{id: "ep-" + newName() + "-" + letters(8), branchID: branchID, kind: kind, min: 0.25, max: 0.25, created: now, ready: now}
	p.endpoints = append(p.endpoints, ep)
	return ep
}

func (p *project) view() map[string]any {
	return map[string]any{
		"id": p.ID, "name": p.name, "platform_id": "aws", "region_id": region, "provisioner": "k8s-neonvm", "pg_version": 17,
		"proxy_host": "us-east-2.aws.neon.localhost", "branch_logical_size_limit": 512, "branch_logical_size_limit_bytes": 512 << 20,
		"store_passwords": true, "active_time": 0, "cpu_used_sec": 0, "creation_source": "console",
		"created_at": second(p.created), "updated_at": second(p.created), "owner_id": "owner",
	}
}

func (b *branch) view(p *project, now time.Time) map[string]any {
	state := "ready"
	if now.Before(b.ready) {
		state = "init"
	}
	view := map[string]any{
		"id": b.id, "project_id": p.ID, "name": b.name, "current_state": state, "state_changed_at": second(b.created),
		"creation_source": "console", "created_at": second(b.created), "updated_at": second(b.updated), "default": b.isDefault,
		"primary": b.isDefault, "protected": b.protected, "cpu_used_sec": 0, "active_time_seconds": 0, "compute_time_seconds": 0,
		"written_data_bytes": 0, "data_transfer_bytes": 0,
	}
	if state == "init" {
		view["pending_state"] = "ready"
	}
	for name, value := range map[string]string{
		"parent_id": b.parentID, "parent_lsn": b.lsn, "parent_timestamp": b.timestamp, "init_source": b.initSource,
	} {
		if value != "" {
			view[name] = value
		}
	}
	if !b.expires.IsZero() {
		view["expires_at"] = second(b.expires)
	}
	return view
}

func (b *branch) annotationView() map[string]any {
	value := b.annotation
	if value == nil {
		value = map[string]string{}
	}
	return map[string]any{
		"object": map[string]any{"type": "console/branch", "id": b.id}, "value": value,
		"created_at": second(b.created), "updated_at": second(b.created),
	}
}

func (ep *endpoint) host() string { return ep.id + ".us-east-2.aws.neon.localhost" }

func (ep *endpoint) pooled() string {
	return strings.Replace(ep.host(), ".", "-pooler.", 1)
}

func (ep *endpoint) view(p *project, now time.Time) map[string]any {
	state := "active"
	if now.Before(ep.ready) {
		state = "init"
	} else if ep.disabled {
		state = "idle"
	}
	view := map[string]any{
		"host": ep.host(), "id": ep.id, "project_id": p.ID, "branch_id": ep.branchID, "region_id": region,
		"autoscaling_limit_min_cu": ep.min, "autoscaling_limit_max_cu": ep.max, "type": ep.kind, "current_state": state,
		"pooler_enabled": false, "pooler_mode": "transaction", "disabled": ep.disabled, "passwordless_access": true,
		"creation_source": "console", "created_at": second(ep.created), "updated_at": second(ep.created),
		"settings": map[string]any{}, "proxy_host": "us-east-2.aws.neon.localhost", "suspend_timeout_seconds": ep.suspend,
		"provisioner": "k8s-neonvm", "last_active": "2000-01-01T00:00:00Z",
	}
	if ep.name != "" {
		view["name"] = ep.name
	}
	return view
}

func (ep *endpoint) url(password string, pooled bool) string {
	host := ep.host()
	if pooled {
		host = ep.pooled()
	}
	return fmt.Sprintf("postgresql://neondb_owner:%s@%s/neondb?channel_binding=require&sslmode=require", password, host)
}
