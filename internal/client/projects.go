package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Project is a project as lists show it (API document, section 2.4).
type Project struct {
	ID                     string    `json:"id"`
	Name                   string    `json:"name"`
	PlatformID             string    `json:"platform_id"`
	RegionID               string    `json:"region_id"`
	Provisioner            string    `json:"provisioner"`
	PgVersion              int64     `json:"pg_version"`
	ProxyHost              string    `json:"proxy_host"`
	OrgID                  string    `json:"org_id"`
	BranchLogicalSizeLimit int64     `json:"branch_logical_size_limit"` // MiB
	CreatedAt              time.Time `json:"created_at"`
	UpdatedAt              time.Time `json:"updated_at"`
}

// ProjectQuery narrows a list of projects.
type ProjectQuery struct {
	// OrgID is needed with a personal key.
	OrgID string
	// Search matches a part of the name or the id.
	Search string
	// Recoverable asks for the deleted projects that can be recovered, which are
	// those of the last seven days, instead of the others.
	Recoverable bool
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

// Projects lists projects in Neon's order. A list that Neon marks as incomplete ends
// with a PartialListError.
func (c *Client) Projects(ctx context.Context, query ProjectQuery) iter.Seq2[Project, error] {
	// The list has a timeout of its own; the longest makes a partial answer least
	// likely.
	values := url.Values{"limit": {"400"}, "timeout": {"30000"}, "org_id": {query.OrgID}, "search": {query.Search}}
	if query.Recoverable {
		values.Set("recoverable", "true")
	}
	request := call{method: http.MethodGet, route: "/projects", query: values}
	return pages(ctx, c, request, func(project Project) string { return project.ID },
		func(answer *projectsPage) (page[Project], error) {
			if len(answer.Unavailable) > 0 {
				return page[Project]{}, &PartialListError{answer.Unavailable}
			}
			return page[Project]{answer.Projects, answer.Pagination.Cursor}, nil
		})
}

type projectsPage struct {
	Projects    listField[Project] `json:"projects"`
	Unavailable []string           `json:"unavailable_project_ids"`
	Pagination  struct {
		Cursor string `json:"cursor"`
	} `json:"pagination"`
}

// Project reads one project. IsAbsent is true for the error about one that was
// deleted in the last seven days. Any other project that Neon doesn't find is an
// UnseenProjectError.
func (c *Client) Project(ctx context.Context, projectID string) (*Project, error) {
	request := call{method: http.MethodGet, route: "/projects/{project_id}", params: []string{projectID}}
	type projectAnswer struct {
		Project Project `json:"project"`
	}
	answer, err := receive(ctx, c, request, "project.id", func(a *projectAnswer) bool { return a.Project.ID != "" })
	if err != nil {
		return nil, err
	}
	return &answer.Project, nil
}
