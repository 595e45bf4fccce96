package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
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

// ProjectCreate describes a project to create. All fields are optional.
type ProjectCreate struct {
	ProjectUpdate
	OrgID       string `json:"org_id,omitempty"` // needed with a personal key
	RegionID    string `json:"region_id,omitempty"`
	Provisioner string `json:"provisioner,omitempty"`
	PgVersion   int64  `json:"pg_version,omitempty"`
	// StorePasswords can't be changed later.
	StorePasswords *bool         `json:"store_passwords,omitempty"`
	Branch         ProjectBranch `json:"branch"`
}

// name is empty where Neon chooses it: the project's id.
func (p ProjectCreate) name() string {
	if p.Name == nil {
		return ""
	}
	return *p.Name
}

// ProjectBranch describes the default branch of a new project.
type ProjectBranch struct {
	Name         string            `json:"name,omitempty"`
	RoleName     string            `json:"role_name,omitempty"`
	DatabaseName string            `json:"database_name,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
}

// ProjectUpdate says what to change. Nil leaves a field as it is.
type ProjectUpdate struct {
	Name                    *string           `json:"name,omitempty"`
	HistoryRetentionSeconds *int64            `json:"history_retention_seconds,omitempty"`
	DefaultEndpointSettings *EndpointDefaults `json:"default_endpoint_settings,omitempty"`
	Settings                *ProjectSettings  `json:"settings,omitempty"`
}

// NewProject is a project with what was created along with it: its default branch, and what that has.
type NewProject struct {
	Project   `json:"project"`
	Branch    Branch     `json:"branch"`
	Endpoints []Endpoint `json:"endpoints"`
	Roles     []Role     `json:"roles"`
	Databases []Database `json:"databases"`
}

// newProjectKind knows a project by its branch, too: without that nobody could use it.
var newProjectKind = kind[NewProject]{noun: "project with a branch", id: func(project NewProject) string {
	if project.Branch.ID == "" {
		return ""
	}
	return project.ID
}}

// CreateProject creates a project. Its default branch bears the creation annotation: names of projects aren't unique.
// POST /projects: https://api-docs.neon.tech/reference/createproject
func (c *Client) CreateProject(ctx context.Context, create ProjectCreate) (*Answer[NewProject], error) {
	create.Branch.Annotations = map[string]string{creationAnnotation: rand.Text()}
	request := call{
		method: http.MethodPost, route: "/projects", subject: fmt.Sprintf("a project named %q", create.name()),
		by:   marked(false),
		body: map[string]any{"project": create},
	}
	began := time.Now()
	created, err := writeOnce(ctx, c, request,
		func() (*Answer[NewProject], error) {
			created, err := newProjectKind.receive(ctx, c, request)
			if err == nil && !created.Object.isWhole() {
				err = request.incomplete("endpoints, roles or databases") // They are looked up with the project.
			}
			return created, err
		},
		func(ctx context.Context) (*Answer[NewProject], error) {
			created, err := c.createdProject(ctx, create, began)
			if created == nil {
				return nil, err
			}
			return c.rereadCreation(ctx, *created)
		})
	if err == nil {
		c.waits.know(created.Object.ID)
	}
	return created, err
}

// isWhole reports whether an answer says what was created along with the project.
func (p NewProject) isWhole() bool { return p.Endpoints != nil && p.Roles != nil && p.Databases != nil }

// createdProject returns the project with the creation's mark, nil for none, or a DoubtfulError about some without any.
func (c *Client) createdProject(ctx context.Context, create ProjectCreate, began time.Time) (*NewProject, error) {
	projects, err := All(c.ListProjects(ctx, ProjectQuery{OrgID: create.OrgID, Search: create.name()}))
	if err != nil {
		return nil, err
	}
	var doubtful []string
	var unread error
	for _, project := range projects {
		isNamesake := project.Name == cmp.Or(create.name(), project.ID)
		if !isNamesake || c.clock.isBefore(project.CreatedAt, began) {
			continue
		}
		branch, err := c.GetDefaultBranch(ctx, project.ID)
		if err != nil { // Ours may be another.
			unread = err
			continue
		}
		switch branch.Annotations[creationAnnotation] {
		case create.Branch.Annotations[creationAnnotation]:
			return &NewProject{Project: project, Branch: *branch}, nil
		case "":
			doubtful = append(doubtful, project.ID)
		}
	}
	if unread == nil && len(doubtful) > 0 {
		return nil, &DoubtfulError{doubtful}
	}
	return nil, unread
}

// rereadCreation returns what the lost answer about a project and its branch has said.
func (c *Client) rereadCreation(ctx context.Context, created NewProject) (_ *Answer[NewProject], err error) {
	ref := BranchRef{ProjectID: created.ID, ID: created.Branch.ID}
	if created.Endpoints, err = All(c.ListEndpoints(ctx, ref)); err != nil {
		return nil, err
	}
	if created.Roles, err = All(c.ListRoles(ctx, ref)); err != nil {
		return nil, err
	}
	if created.Databases, err = All(c.ListDatabases(ctx, ref)); err != nil {
		return nil, err
	}
	operations, err := c.operationsWhere(ctx, ref.ProjectID, func(o Operation) bool { return !o.hasEffect() })
	return &Answer[NewProject]{Object: created, Operations: operations}, err
}

// GetDefaultBranch returns the present default branch of a project.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) GetDefaultBranch(ctx context.Context, projectID string) (*Branch, error) {
	request := branchesCall(projectID, "")
	request.query.Set("sort_order", "asc") // It is mostly the oldest, and so on the first page.
	branch, err := branchKind.first(ctx, c, request, func(branch Branch) bool { return branch.Default })
	if err == nil && branch == nil {
		err = request.incomplete("default branch")
	}
	return branch, err
}

// GetSharedDefaultBranch is GetDefaultBranch from the list that GetSharedBranch reads, which it begins at once.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) GetSharedDefaultBranch(ctx context.Context, projectID string) (*Branch, error) {
	isIt := func(branch Branch) bool { return branch.Default }
	read := func() (*Branch, error) { return c.GetDefaultBranch(ctx, projectID) }
	return branchKind.sharedOr(AtOnce(ctx), c, "default", isIt, read, projectID)
}

// UpdateProject changes a project in place.
// PATCH /projects/{project_id}: https://api-docs.neon.tech/reference/updateproject
func (c *Client) UpdateProject(ctx context.Context, projectID string, update ProjectUpdate) (*Answer[Project], error) {
	return projectKind.update(ctx, c, update, 2, projectID) // Each of its settings is set as a whole.
}

// TransferProjects moves up to 400 projects to another organization: all of them, or none.
// POST /organizations/{source_org_id}/projects/transfer: https://api-docs.neon.tech/reference/transferprojectsfromorgtoorg
func (c *Client) TransferProjects(ctx context.Context, projectIDs []string, from, to string) error {
	request := call{
		method: http.MethodPost, route: "/organizations/{org_id}/projects/transfer", params: []string{from}, by: harmless,
		subject: fmt.Sprintf("the transfer of %s to organization %s", strings.Join(projectIDs, ", "), to),
		body:    map[string]any{"destination_org_id": to, "project_ids": projectIDs},
	}
	defer func() {
		for _, id := range projectIDs {
			c.forget(projectKind.of(http.MethodGet, "", id).realm())
		}
	}()
	return c.settle(ctx, request, "", func(ctx context.Context) (bool, error) {
		for _, id := range projectIDs {
			if project, err := c.GetProject(ctx, id); err != nil || project.OrgID != to {
				return false, err
			}
		}
		return true, nil
	})
}

// RecoverProject brings back a project that was deleted in the last seven days, with all that it had.
// POST /projects/{project_id}/recover: https://api-docs.neon.tech/reference/recoverproject
func (c *Client) RecoverProject(ctx context.Context, projectID string) (*Project, error) {
	request := projectKind.of(http.MethodPost, "/recover", projectID)
	request.subject, request.by = "the recovery of project "+projectID, projectKind.named(projectID)
	return ObjectOf(projectKind.change(ctx, c, request, effect[Project]{
		read:       func(ctx context.Context) (*Project, error) { return present(c.GetProject(ctx, projectID)) },
		operations: func(context.Context) ([]Operation, error) { return nil, nil },
	}))
}

// DeleteProject deletes a project with all that is in it. Neon can recover it for seven days.
// DELETE /projects/{project_id}: https://api-docs.neon.tech/reference/deleteproject
func (c *Client) DeleteProject(ctx context.Context, projectID string) error {
	return projectKind.end(ctx, c, projectID)
}

// GetRecoverableUntil returns until when a deleted project can be recovered; nil where Neon doesn't list it.
// GET /projects: https://api-docs.neon.tech/reference/listprojects
func (c *Client) GetRecoverableUntil(ctx context.Context, ref OrgRef[Project]) (*time.Time, error) {
	for project, err := range c.ListProjects(ctx, ProjectQuery{OrgID: ref.OrgID, Search: ref.ID, Recoverable: true}) {
		if err != nil || project.ID == ref.ID {
			return project.RecoverableUntil, err
		}
	}
	return nil, nil
}
