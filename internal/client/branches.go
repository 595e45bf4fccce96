package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// BranchRef says which branch is meant.
type BranchRef = Ref[Branch]

// Branch is a branch of a project. Neon omits optional fields that are unset; they are zero here.
type Branch struct {
	ID              string     `json:"id"`
	ProjectID       string     `json:"project_id"`
	ParentID        string     `json:"parent_id"`
	ParentLSN       string     `json:"parent_lsn"`
	ParentTimestamp *time.Time `json:"parent_timestamp"`
	Name            string     `json:"name"`
	// CurrentState is an open set; "init", "resetting", "ready" and "archived" are documented.
	CurrentState string `json:"current_state"`
	PendingState string `json:"pending_state"`
	InitSource   string `json:"init_source"`
	Default      bool   `json:"default"`
	Protected    bool   `json:"protected"`
	// RestoredFrom is the snapshot that the branch was restored from, RestoredAs the branch that it replaced or is to
	// replace; RestoreStatus is an open set: "restored" and "finalized" are published. Else they are empty.
	RestoredFrom  string     `json:"restored_from"`
	RestoreStatus string     `json:"restore_status"`
	RestoredAs    string     `json:"restored_as"`
	ExpiresAt     *time.Time `json:"expires_at"`
	CreatedAt     time.Time  `json:"created_at"`
	UpdatedAt     time.Time  `json:"updated_at"`
	// LogicalSize is in bytes, and 0 where Neon returns none.
	LogicalSize int64      `json:"logical_size"`
	LastResetAt *time.Time `json:"last_reset_at"` // of its last restore
	// RestrictedActions are what Neon refuses to do to it, such as "restore".
	RestrictedActions []RestrictedAction `json:"restricted_actions"`
	// Annotations were attached at creation. Neon sends them beside the branch.
	Annotations map[string]string `json:"-"`
}

// RestrictedAction is what Neon refuses to do to a branch, and why.
type RestrictedAction struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// Restriction is why Neon refuses to do that to the branch; empty where it doesn't.
func (b *Branch) Restriction(action string) string {
	for _, restricted := range b.RestrictedActions {
		if restricted.Name == action {
			return cmp.Or(restricted.Reason, "Neon doesn't say why")
		}
	}
	return ""
}

// BranchCreate describes a branch to create. All fields are optional.
type BranchCreate struct {
	Name            string     `json:"name,omitempty"`
	ParentID        string     `json:"parent_id,omitempty"` // empty: the project's default branch
	ParentLSN       string     `json:"parent_lsn,omitempty"`
	ParentTimestamp *time.Time `json:"parent_timestamp,omitempty"`
	InitSource      string     `json:"init_source,omitempty"`
	Protected       *bool      `json:"protected,omitempty"`
	Archived        bool       `json:"archived,omitempty"`
	ExpiresAt       *time.Time `json:"expires_at,omitempty"`
	// Annotations holds at most 50 pairs.
	Annotations map[string]string `json:"-"`
	// Endpoints are created with the branch. Neon takes no name and no Disabled of them.
	Endpoints []EndpointCreate `json:"-"`
}

// NewBranch is a branch with what was created along with it.
type NewBranch struct {
	Branch    `json:"branch"`
	Endpoints []Endpoint `json:"endpoints"`
}

var newBranchKind = kind[NewBranch]{noun: "branch", id: func(branch NewBranch) string { return branch.ID }}

// BranchUpdate says what to change. Nil leaves a field as it is.
type BranchUpdate struct {
	Name      *string
	Protected *bool
	// ExpiresAt sets a new expiry; RemoveExpiry removes it.
	ExpiresAt    *time.Time
	RemoveExpiry bool
}

// branchKind lists the largest pages, in an order that doesn't change with a branch.
var branchKind = kind[Branch]{
	noun: "branch", isSaid: true, route: "/projects/{project_id}/branches", one: "/{branch_id}", isRead: true,
	isPaged: true, few: fewReads,
	query: url.Values{"limit": {"10000"}, "sort_by": {"created_at"}, "sort_order": {"desc"}},
	field: "branches", object: "branch", deleted: "branch",
	id:       func(branch Branch) string { return branch.ID },
	complete: annotate, isAbout: ofBranch,
}

// annotate adds the annotations, which Neon sends beside one branch or by the ids of many.
func annotate(answer fields, branches []element[Branch]) error {
	type annotation struct{ Value map[string]string }
	var one element[annotation]
	many := map[string]element[annotation]{}
	if answer["annotation"] != nil {
		_ = json.Unmarshal(answer["annotation"], &one)
	}
	if answer["annotations"] != nil && json.Unmarshal(answer["annotations"], &many) != nil {
		one.isBroken = true
	}
	for i, branch := range branches {
		its, has := many[branch.object.ID]
		if !has {
			its = one
		}
		branches[i] = element[Branch]{branch.object, branch.isBroken || its.isBroken}
		branches[i].object.Annotations = its.object.Value
	}
	return nil
}

// creationAnnotation has a random value for each creation, by which its branch is told from another of the same name.
const creationAnnotation = "terraform-provider-neon/creation"

// CreateBranch creates a branch and its endpoints.
// POST /projects/{project_id}/branches: https://api-docs.neon.tech/reference/createprojectbranch
func (c *Client) CreateBranch(ctx context.Context, projectID string, create BranchCreate) (*Answer[NewBranch], error) {
	return c.createBranch(ctx, projectID, create, "/branches", create.body())
}

// body is a branch with its endpoints, as requests have them.
func (b BranchCreate) body() map[string]any {
	body := map[string]any{"branch": b}
	if len(b.Endpoints) > 0 {
		body["endpoints"] = b.Endpoints
	}
	return body
}

// createBranch creates a branch by a call of the project's, whose body gets its annotations.
func (c *Client) createBranch(
	ctx context.Context, projectID string, create BranchCreate, route string, body map[string]any,
) (*Answer[NewBranch], error) {
	annotations := map[string]string{}
	maps.Copy(annotations, create.Annotations)
	annotations[creationAnnotation] = rand.Text()
	create.Annotations, body["annotation_value"] = annotations, annotations
	request := call{
		method: http.MethodPost, route: "/projects/{project_id}" + route, params: []string{projectID},
		branchID: create.ParentID,
		subject:  fmt.Sprintf("a branch named %q in project %s", create.Name, projectID),
		by:       marked(create.Name != ""), body: body,
	}
	created, err := writeOnce(ctx, c, request,
		func() (*Answer[NewBranch], error) {
			created, err := newBranchKind.receive(ctx, c, request)
			if err == nil && created.Object.Endpoints == nil && len(create.Endpoints) > 0 {
				err = request.incomplete("endpoints") // They are looked up with the branch.
			}
			return created, err
		},
		func(ctx context.Context) (*Answer[NewBranch], error) {
			return c.findCreatedBranch(ctx, projectID, create)
		})
	if err == nil {
		created.Object.Annotations = create.Annotations
		c.noteCreated(request, branchKind.named(projectID, created.Object.ID).path)
	}
	return created, err
}

// findCreatedBranch finds the branch with the creation's annotation.
func (c *Client) findCreatedBranch(
	ctx context.Context, projectID string, create BranchCreate,
) (*Answer[NewBranch], error) {
	branches, err := All(c.ListBranches(ctx, projectID, BranchQuery{Search: create.Name}))
	created := slices.DeleteFunc(branches, func(branch Branch) bool {
		return branch.Annotations[creationAnnotation] != create.Annotations[creationAnnotation]
	})
	if err != nil || len(created) == 0 {
		return nil, err
	}
	branch := created[0]
	endpoints, err := All(c.ListEndpoints(ctx, BranchRef{ProjectID: projectID, ID: branch.ID}))
	if err != nil {
		return nil, err
	}
	operations, err := c.operationsWhere(ctx, projectID, branch.lacks)
	return &Answer[NewBranch]{Object: NewBranch{branch, endpoints}, Operations: operations}, err
}

// lacks reports whether an operation of the branch has not had its effect.
func (b *Branch) lacks(o Operation) bool { return o.BranchID == b.ID && !o.hasEffect() }

// GetSharedBranch reads one branch with its annotations.
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) GetSharedBranch(ctx context.Context, branch BranchRef) (*Branch, error) {
	return branchKind.shared(ctx, c, branch.ProjectID, branch.ID)
}

// GetSharedFamily returns a branch, nil if there is none, and the branches that have it as their parent, by name, from
// the list that GetSharedBranch reads. That is read to its end for it.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) GetSharedFamily(ctx context.Context, ref BranchRef) (parent *Branch, children []Branch, err error) {
	list := branchKind
	list.few = wholeList
	whole, err := list.wholeShared(ctx, c, "family of "+ref.ID, ref.ProjectID)
	children = matching(whole, func(branch Branch) bool { return branch.ParentID == ref.ID })
	slices.SortFunc(children, func(a, b Branch) int { return cmp.Compare(a.Name, b.Name) })
	return readable(whole[ref.ID], func(Branch) bool { return true }), children, err
}

// ListSharedBranches returns all branches of a project, by name, from the list that GetSharedBranch reads. That is read
// to its end for it.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) ListSharedBranches(ctx context.Context, projectID string) ([]Branch, error) {
	list := branchKind
	list.few = wholeList
	whole, err := list.wholeShared(ctx, c, "all", projectID)
	branches := matching(whole, func(Branch) bool { return true })
	slices.SortFunc(branches, func(a, b Branch) int { return cmp.Compare(a.Name, b.Name) })
	return branches, err
}

// ListedBranches returns all branches of a project, if the list that GetSharedBranch reads has just been read to its
// end. It sends no request, and changes nothing about when others do.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) ListedBranches(projectID string) (branches []Branch, isListed bool) {
	return branchKind.listed(c, projectID)
}

// GetBranch is GetSharedBranch by a request of its own.
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) GetBranch(ctx context.Context, branch BranchRef) (*Branch, error) {
	return branchKind.read(ctx, c, branch.ProjectID, branch.ID)
}

// UpdateBranch changes name, protection or expiry in place.
// PATCH /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/updateprojectbranch
func (c *Client) UpdateBranch(ctx context.Context, branch BranchRef, update BranchUpdate) (*Answer[Branch], error) {
	return branchKind.update(ctx, c, update.fields(), 1, branch.ProjectID, branch.ID)
}

func (u BranchUpdate) fields() map[string]any {
	fields := map[string]any{}
	if u.Name != nil {
		fields["name"] = *u.Name
	}
	if u.Protected != nil {
		fields["protected"] = *u.Protected
	}
	if u.ExpiresAt != nil {
		fields["expires_at"] = u.ExpiresAt.UTC().Truncate(time.Second) // as Neon keeps it
	} else if u.RemoveExpiry {
		fields["expires_at"] = nil
	}
	return fields
}

// DeleteBranch deletes a branch and its endpoints.
// DELETE /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/deleteprojectbranch
func (c *Client) DeleteBranch(ctx context.Context, branch BranchRef) ([]Operation, error) {
	return branchKind.delete(ctx, c, branch.ProjectID, branch.ID)
}

// BranchQuery narrows a list of branches.
type BranchQuery struct {
	// Search matches a part of the name or the id.
	Search string
}

// ListBranches lists a project's branches, newest first.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) ListBranches(ctx context.Context, projectID string, query BranchQuery) iter.Seq2[Branch, error] {
	return branchKind.each(ctx, c, branchesCall(projectID, query.Search))
}

func branchesCall(projectID, search string) call {
	request := branchKind.listCall(projectID)
	request.query.Set("search", search)
	return request
}

// GetSharedBranchByName returns the project's branch of exactly that name, nil if there is none. See [ForHint].
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) GetSharedBranchByName(ctx context.Context, projectID, name string) (*Branch, error) {
	isIt := func(branch Branch) bool { return branch.Name == name }
	read := func() (*Branch, error) { return c.GetBranchByName(ctx, projectID, name) }
	return branchKind.sharedOr(ctx, c, "named "+name, isIt, read, projectID)
}

// GetBranchByName is GetSharedBranchByName by a request of its own.
// GET /projects/{project_id}/branches: https://api-docs.neon.tech/reference/listprojectbranches
func (c *Client) GetBranchByName(ctx context.Context, projectID, name string) (*Branch, error) {
	return branchKind.first(ctx, c, branchesCall(projectID, name), func(branch Branch) bool {
		return branch.Name == name || branch.Name == "" && branch.ID != "" // A name that can't be decoded may be that one.
	})
}
