package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Project is a project as lists show it.
type Project struct {
	ID                     string `json:"id"`
	Name                   string `json:"name"`
	PlatformID             string `json:"platform_id"`
	RegionID               string `json:"region_id"`
	Provisioner            string `json:"provisioner"`
	PgVersion              int64  `json:"pg_version"`
	ProxyHost              string `json:"proxy_host"`
	OrgID                  string `json:"org_id"`
	BranchLogicalSizeLimit int64  `json:"branch_logical_size_limit"` // MiB
	StorePasswords         bool   `json:"store_passwords"`
	// HistoryRetentionSeconds is nil in lists that lack it.
	HistoryRetentionSeconds *int64           `json:"history_retention_seconds"`
	DefaultEndpointSettings EndpointDefaults `json:"default_endpoint_settings"`
	Settings                ProjectSettings  `json:"settings"`
	CreatedAt               time.Time        `json:"created_at"`
	UpdatedAt               time.Time        `json:"updated_at"`
	// Owner is nil in lists.
	Owner *ProjectOwner `json:"owner"`
	// DeletedAt and RecoverableUntil are set in the list of recoverable projects only.
	DeletedAt        *time.Time `json:"deleted_at"`
	RecoverableUntil *time.Time `json:"recoverable_until"`
}

// ProjectOwner is whose plan a project's limits are of.
type ProjectOwner struct {
	// SubscriptionType is an open set: "free_v3", "launch_v3" and "scale_v3" are the present plans.
	SubscriptionType string `json:"subscription_type"`
	// BranchesLimit is how many branches a project may have; 0 where Neon doesn't say.
	BranchesLimit int `json:"branches_limit"`
}

// EndpointDefaults are the settings of endpoints that are created without their own. Nil leaves a setting as it is.
type EndpointDefaults struct {
	EndpointSettings
	// PgSettings replaces all PostgreSQL settings; nil leaves them.
	PgSettings *map[string]string `json:"pg_settings,omitempty"`
}

// ProjectSettings are those of a project. In a change, nil leaves one as it is, and any other replaces all of it.
type ProjectSettings struct {
	Quota      *ProjectQuota `json:"quota,omitempty"`
	AllowedIPs *AllowedIPs   `json:"allowed_ips,omitempty"`
	// EnableLogicalReplication and HIPAA can't be switched off again.
	EnableLogicalReplication *bool              `json:"enable_logical_replication,omitempty"`
	HIPAA                    *bool              `json:"hipaa,omitempty"`
	BlockPublicConnections   *bool              `json:"block_public_connections,omitempty"`
	BlockVPCConnections      *bool              `json:"block_vpc_connections,omitempty"`
	AuditLogLevel            string             `json:"audit_log_level,omitempty"` // base, extended, full
	MaintenanceWindow        *MaintenanceWindow `json:"maintenance_window,omitempty"`
	PreloadLibraries         *PreloadLibraries  `json:"preload_libraries,omitempty"`
}

// ProjectQuota limits what a project may use in a billing period; 0 is no limit.
type ProjectQuota struct {
	ActiveTimeSeconds  int64 `json:"active_time_seconds"`
	ComputeTimeSeconds int64 `json:"compute_time_seconds"`
	WrittenDataBytes   int64 `json:"written_data_bytes"`
	DataTransferBytes  int64 `json:"data_transfer_bytes"`
	LogicalSizeBytes   int64 `json:"logical_size_bytes"`
}

// AllowedIPs are the addresses that may connect; none means all.
type AllowedIPs struct {
	IPs                   []string `json:"ips"`
	ProtectedBranchesOnly bool     `json:"protected_branches_only"`
}

// MaintenanceWindow is when Neon may restart the project's endpoints, in UTC.
type MaintenanceWindow struct {
	Weekdays  []int64 `json:"weekdays"` // 1 is Monday
	StartTime string  `json:"start_time"`
	EndTime   string  `json:"end_time"`
}

// projectKind lists the largest pages, with the longest timeout, which makes a partial answer least likely.
var projectKind = kind[Project]{
	noun: "project", route: "/projects", one: "/{project_id}", isRead: true, isPaged: true,
	query: url.Values{"limit": {"400"}, "timeout": {"30000"}},
	field: "projects", object: "project", deleted: "project",
	id:      func(project Project) string { return project.ID },
	isAbout: func(Operation, []string) bool { return true },
	complete: func(answer fields, _ []element[Project]) error {
		var unavailable []string
		_ = json.Unmarshal(answer["unavailable_project_ids"], &unavailable) // Mostly there is none.
		if len(unavailable) > 0 {
			return &PartialListError{unavailable}
		}
		return nil
	},
}

// ProjectQuery narrows a list of projects.
type ProjectQuery struct {
	// OrgID is needed with a personal key.
	OrgID string
	// Search matches a part of the name or the id.
	Search string
	// Recoverable asks for those deleted in the last seven days, which can be recovered, instead of the others.
	Recoverable bool
	// Shared asks for the projects that others share with the caller, instead of those of an organization.
	Shared bool
}

// PartialListError is a list of projects that Neon itself calls incomplete.
type PartialListError struct {
	// UnavailableProjectIDs are the projects that Neon couldn't read.
	UnavailableProjectIDs []string
}

func (e *PartialListError) Error() string {
	return fmt.Sprintf("Neon answered with an incomplete list of projects: it could not read %s",
		strings.Join(e.UnavailableProjectIDs, ", "))
}

// ListProjects lists projects in Neon's order. A list that Neon marks as incomplete ends with a PartialListError.
// GET /projects: https://api-docs.neon.tech/reference/listprojects
func (c *Client) ListProjects(ctx context.Context, query ProjectQuery) iter.Seq2[Project, error] {
	return projectKind.each(ctx, c, projectsCall(query))
}

func projectsCall(query ProjectQuery) call {
	request := projectKind.listCall()
	request.query.Set("org_id", query.OrgID)
	request.query.Set("search", query.Search)
	if query.Recoverable {
		request.query.Set("recoverable", "true")
	}
	if query.Shared {
		request.route += "/shared"
	}
	return request
}

// ListNamesakes returns the ids of the organization's other projects with the same name. Calls within some seconds
// share one list of the projects, or, if that would be long, use Neon's search by name.
// GET /projects: https://api-docs.neon.tech/reference/listprojects
func (c *Client) ListNamesakes(ctx context.Context, project Project) ([]string, error) {
	listed := projectKind
	listed.query = projectsCall(ProjectQuery{OrgID: project.OrgID}).query
	isNamesake := func(other Project) bool { return other.Name == project.Name && other.ID != project.ID }
	whole, err := listed.wholeShared(ctx, c, "namesakes")
	namesakes := matching(whole, isNamesake)
	if err == nil && whole == nil {
		namesakes, err = All(c.ListProjects(ctx, ProjectQuery{OrgID: project.OrgID, Search: project.Name}))
		namesakes = slices.DeleteFunc(namesakes, func(other Project) bool { return !isNamesake(other) })
	}
	ids := make([]string, len(namesakes))
	for i, namesake := range namesakes {
		ids[i] = namesake.ID
	}
	slices.Sort(ids)
	return ids, err
}

// GetProject reads one project. IsAbsent is true for the error about one that was deleted in the last seven days. Any
// other project that Neon doesn't find is an UnseenProjectError.
// GET /projects/{project_id}: https://api-docs.neon.tech/reference/getproject
func (c *Client) GetProject(ctx context.Context, projectID string) (*Project, error) {
	return projectKind.read(ctx, c, projectID)
}
