package project_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
)

// peerStates are the projects in states of other providers, as these write them. Ids and
// passwords are made up.
func peerStates(id, orgID string) map[acctest.MovedSource]map[string]any {
	project := func(provider string, version int64) acctest.MovedSource {
		return acctest.MovedSource{Provider: provider, TypeName: "neon_project", Version: version}
	}
	kislerdm := map[string]any{
		"id": id, "name": "shop", "org_id": orgID, "region_id": "aws-us-east-2", "pg_version": 17, "store_password": "yes",
		"compute_provisioner": "k8s-neonvm", "history_retention_seconds": 3600, "allowed_ips": nil, "hipaa": nil,
		"allowed_ips_protected_branches_only": nil, "block_public_connections": nil, "enable_logical_replication": nil,
		"branch": []any{map[string]any{"id": "br-old-12345678", "name": "main", "role_name": "app_owner",
			"database_name": "app"}},
		"quota":              []any{map[string]any{"active_time_seconds": nil, "written_data_bytes": nil}},
		"maintenance_window": []any{map[string]any{"weekdays": []int{5}, "start_time": "07:00", "end_time": "08:00"}},
		"default_branch_id":  "br-old-12345678", "default_endpoint_id": "ep-old-12345678", "default_branch_protected": false,
		"database_host": "ep-old-12345678.us-east-2.aws.neon.tech", "database_name": "app", "database_user": "app_owner",
		"database_password": "npg_secret",
		"connection_uri":    "postgres://app_owner:npg_secret@ep-old-12345678.us-east-2.aws.neon.tech/app",
		"default_endpoint_settings": []any{map[string]any{"id": "ep-old-12345678", "autoscaling_limit_min_cu": 0.25,
			"autoscaling_limit_max_cu": 1}},
	}
	compute := map[string]any{"id": id, "primary_compute": []any{map[string]any{"id": "ep-old-12345678"}},
		"connection_uri": "postgres://app:npg_secret@h/app"}
	return map[acctest.MovedSource]map[string]any{
		project("kislerdm/neon", 11):     kislerdm,
		project("kislerdm/neon", 8):      kislerdm,
		project("kislerdm/neon", 12):     compute,
		project("neondatabase/neon", 11): kislerdm,
		project("neondatabase/neon", 0):  {"id": id, "name": "shop", "branch": map[string]any{"id": "br-old-12345678"}},
		project("kenchan0130/neon", 0): {
			"id": id, "name": "shop", "org_id": orgID, "store_passwords": true, "created_at": "2026-11-21T12:46:33Z",
			"updated_at":                "2026-11-21T12:46:33Z",
			"default_endpoint_settings": map[string]any{"autoscaling_limit_max_cu": 0.25, "pg_settings": nil},
			"settings": map[string]any{"allowed_ips": map[string]any{"ips": []string{}}, "hipaa": false,
				"quota": nil},
		},
		project("terraform-community-providers/neon", 0): {
			"id": id, "name": "shop", "org_id": orgID, "platform_id": "aws", "logical_replication": false,
			"history_retention": 86400,
			"branch": map[string]any{"id": "br-old-12345678", "endpoint": map[string]any{"min_cu": 0.25},
				"protected": false},
		},
	}
}

// Of a state of another provider the id is taken, whatever its version; the rest is read.
func TestProject_moves(t *testing.T) {
	w := newWorld(t)
	p := acctest.NewProtocol(t, w.World)
	for source, old := range peerStates(w.ProjectID, w.OrgID) {
		t.Run(fmt.Sprintf("%s %d", source.Provider, source.Version), func(t *testing.T) {
			state, identity, problem := p.Move(t, "neon_project", source, old)
			if problem != "" || state["id"] != w.ProjectID || identity["id"] != w.ProjectID || state["org_id"] != w.OrgID ||
				strings.Contains(fmt.Sprint(state), "npg_secret") || strings.Contains(fmt.Sprint(state), "br-old") {
				t.Errorf("moved to %v, %v: %s", state, identity, problem)
			}
		})
	}
	_, _, problem := p.Move(t, "neon_project", acctest.MovedSource{Provider: "kislerdm/neon", TypeName: "neon_project",
		Version: 11}, map[string]any{"name": "shop"})
	if !strings.Contains(problem, "Its id is missing") || !strings.Contains(problem, "to = neon_project.NAME") {
		t.Errorf("without an id: %s", problem)
	}
}
