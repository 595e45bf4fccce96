package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"
)

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
