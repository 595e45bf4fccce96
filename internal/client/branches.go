package client

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// Branch is a branch of a project. Neon omits optional fields that are unset; they are
// zero here.
type Branch struct {
	ID              string     `json:"id"`
	ProjectID       string     `json:"project_id"`
	ParentID        string     `json:"parent_id"`
	ParentLSN       string     `json:"parent_lsn"`
	ParentTimestamp *time.Time `json:"parent_timestamp"`
	Name            string     `json:"name"`
	// CurrentState is an open set; "init", "resetting", "ready" and "archived"
	// are documented.
	CurrentState string `json:"current_state"`
	PendingState string `json:"pending_state"`
	InitSource   string `json:"init_source"`
	Default      bool   `json:"default"`
	Protected    bool   `json:"protected"`
	// RestoredFrom is the snapshot that the branch was restored from, RestoredAs the branch
	// that it replaced or is to replace; RestoreStatus is an open set: "restored" and
	// "finalized" are published. They are empty for any other branch.
	RestoredFrom  string     `json:"restored_from"`
	RestoreStatus string     `json:"restore_status"`
	RestoredAs    string     `json:"restored_as"`
	ExpiresAt     *time.Time `json:"expires_at"`
	CreatedAt     time.Time  `json:"created_at"`
	UpdatedAt     time.Time  `json:"updated_at"`
	LastResetAt   *time.Time `json:"last_reset_at"` // of its last restore
	// Annotations were attached at creation. Neon sends them beside the branch.
	Annotations map[string]string `json:"-"`
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
	// Endpoints are created together with the branch. They can have no name and can't
	// be disabled: Neon takes these only for endpoints created on their own.
	Endpoints []EndpointCreate `json:"-"`
}

// BranchCreated is the answer to a creation: the branch exists, and becomes usable
// when its operations have finished.
type BranchCreated struct {
	Branch     Branch      `json:"branch"`
	Endpoints  []Endpoint  `json:"endpoints"`
	Operations []Operation `json:"operations"`
}

// BranchUpdate says what to change. Nil leaves a field as it is.
type BranchUpdate struct {
	Name      *string
	Protected *bool
	// ExpiresAt sets a new expiry; RemoveExpiry removes it.
	ExpiresAt    *time.Time
	RemoveExpiry bool
}

type branchAnnotation struct {
	Value map[string]string `json:"value"`
}

// CreationAnnotation is the annotation that distinguishes a branch that this client
// created from another of the same name: each creation has a random value.
const CreationAnnotation = "terraform-provider-neon/creation"

// CreateBranch creates a branch and its endpoints. The branch is usable when the
// returned operations have finished. After a lost answer the branch is found again by
// its creation annotation.
func (c *Client) CreateBranch(ctx context.Context, projectID string, create BranchCreate) (*BranchCreated, error) {
	annotations := maps.Clone(create.Annotations)
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[CreationAnnotation] = rand.Text()
	create.Annotations = annotations
	request := call{
		method: http.MethodPost, route: "/projects/{project_id}/branches", params: []string{projectID}, branchID: create.ParentID,
		subject: fmt.Sprintf("a branch named %q in project %s", create.Name, projectID), isMarked: true,
		body: struct {
			Branch      BranchCreate      `json:"branch"`
			Endpoints   []EndpointCreate  `json:"endpoints,omitempty"`
			Annotations map[string]string `json:"annotation_value,omitempty"`
		}{create, create.Endpoints, create.Annotations},
	}
	if create.Name == "" { // Nothing keeps a second one from being created.
		request.once = true
	}
	created, err := writeOnce(ctx, c, request,
		func() (*BranchCreated, error) {
			return receive(ctx, c, request, "branch.id", func(created *BranchCreated) bool { return created.Branch.ID != "" })
		},
		func(ctx context.Context) (*BranchCreated, error) { return c.findCreatedBranch(ctx, projectID, create) })
	if err == nil {
		created.Branch.Annotations = create.Annotations
	}
	return created, err
}

// findCreatedBranch finds the branch with the creation's annotation.
func (c *Client) findCreatedBranch(ctx context.Context, projectID string, create BranchCreate) (*BranchCreated, error) {
	branches, err := All(c.Branches(ctx, projectID, BranchQuery{Search: create.Name}))
	created := slices.DeleteFunc(branches, func(branch Branch) bool {
		return branch.Annotations[CreationAnnotation] != create.Annotations[CreationAnnotation]
	})
	if err != nil || len(created) == 0 {
		return nil, err
	}
	branch := created[0]
	endpoints, err := All(c.Endpoints(ctx, projectID, branch.ID))
	if err != nil {
		return nil, err
	}
	operations, err := c.creationOperations(ctx, projectID, func(o Operation) bool { return o.BranchID == branch.ID })
	if err != nil {
		return nil, err
	}
	return &BranchCreated{Branch: branch, Endpoints: endpoints, Operations: operations}, nil
}

// SharedBranch reads one branch with its annotations. IsAbsent is true for the error about
// one that doesn't exist. Reads that come close together share one list.
func (c *Client) SharedBranch(ctx context.Context, projectID, branchID string) (*Branch, error) {
	branches, err := c.reads.branches.share(ctx, projectID)
	if err != nil {
		return nil, err
	}
	if branch, found := branches[branchID]; found {
		return &branch, nil
	}
	return c.Branch(ctx, projectID, branchID)
}

// Branch is SharedBranch by a request of its own.
func (c *Client) Branch(ctx context.Context, projectID, branchID string) (*Branch, error) {
	request := branchCall(http.MethodGet, projectID, branchID)
	answer, err := receive(ctx, c, request, "branch.id", (*branchAnswer).isComplete)
	switch {
	case provesNothing(err):
		branches, listErr := All(c.Branches(ctx, projectID, BranchQuery{}))
		return findInList(request, err, branches, listErr, func(b Branch) bool { return b.ID == branchID })
	case err != nil:
		return nil, err
	}
	answer.Branch.Annotations = answer.Annotation.Value
	return &answer.Branch, nil
}

type branchAnswer struct {
	Branch     Branch           `json:"branch"`
	Annotation branchAnnotation `json:"annotation"`
	Operations []Operation      `json:"operations"`
}

func (a *branchAnswer) isComplete() bool { return a.Branch.ID != "" }

// UpdateBranch changes name, protection or expiry in place.
func (c *Client) UpdateBranch(ctx context.Context, projectID, branchID string, update BranchUpdate) (*Branch, []Operation, error) {
	request := branchCall(http.MethodPatch, projectID, branchID)
	request.subject = fmt.Sprintf("the change of branch %s", branchID)
	request.body = map[string]any{"branch": update.fields()}
	return c.writeBranch(ctx, request, update.isAppliedTo)
}

// writeBranch sends a write to a branch. Whether one whose answer was lost had its effect
// shows in the branch alone.
func (c *Client) writeBranch(ctx context.Context, request call, isDone func(*Branch) bool) (*Branch, []Operation, error) {
	projectID, branchID := request.params[0], request.params[1]
	answer, err := writeOnce(ctx, c, request,
		func() (*branchAnswer, error) {
			return receive(ctx, c, request, "branch.id", (*branchAnswer).isComplete)
		},
		func(ctx context.Context) (*branchAnswer, error) {
			branch, err := c.Branch(ctx, projectID, branchID)
			if err != nil || !isDone(branch) {
				return nil, err
			}
			operations, err := c.branchOperations(ctx, projectID, branchID)
			return &branchAnswer{Branch: *branch, Operations: operations}, err
		})
	if err != nil {
		return nil, nil, err
	}
	return &answer.Branch, answer.Operations, nil
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
		fields["expires_at"] = u.ExpiresAt
	} else if u.RemoveExpiry {
		fields["expires_at"] = nil
	}
	return fields
}

// isAppliedTo reports whether the branch is as the update wants it.
func (u BranchUpdate) isAppliedTo(branch *Branch) bool {
	if u.ExpiresAt != nil && (branch.ExpiresAt == nil || !branch.ExpiresAt.Equal(u.ExpiresAt.Truncate(time.Second))) {
		return false
	}
	return unsetOr(u.Name, branch.Name) && unsetOr(u.Protected, branch.Protected) && (!u.RemoveExpiry || branch.ExpiresAt == nil)
}

// unsetOr reports whether nothing is wanted, or the value is what is wanted.
func unsetOr[T comparable](wanted *T, value T) bool {
	return wanted == nil || *wanted == value
}

// DeleteBranch deletes a branch and its endpoints. One that is already gone is no
// error (Neon answers 204 without a body).
func (c *Client) DeleteBranch(ctx context.Context, projectID, branchID string) ([]Operation, error) {
	request := branchCall(http.MethodDelete, projectID, branchID)
	request.subject = fmt.Sprintf("the deletion of branch %s", branchID)
	return c.delete(ctx, request,
		func(ctx context.Context) error { _, err := c.Branch(ctx, projectID, branchID); return err },
		func(ctx context.Context) ([]Operation, error) { return c.branchOperations(ctx, projectID, branchID) })
}

func branchCall(method, projectID, branchID string) call {
	return call{
		method: method, route: "/projects/{project_id}/branches/{branch_id}", params: []string{projectID, branchID},
		noun: "branch",
	}
}
