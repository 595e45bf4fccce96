package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// SnapshotRef says which snapshot is meant.
type SnapshotRef = Ref[Snapshot]

// Snapshot is a copy of a root branch at a moment, from which Neon restores branches.
type Snapshot struct {
	ID   string `json:"id"`
	Name string `json:"name"` // not unique
	// Slug is unique in the project; empty where Neon doesn't return it.
	Slug string `json:"slug"`
	// SourceBranchID is the branch that it was taken of; empty where Neon doesn't return it.
	SourceBranchID string     `json:"source_branch_id"`
	LSN            string     `json:"lsn"`
	Timestamp      *time.Time `json:"timestamp"`
	CreatedAt      time.Time  `json:"created_at"`
	// ExpiresAt is when Neon deletes it by itself; nil for never.
	ExpiresAt *time.Time `json:"expires_at"`
	// Manual is false for one that a backup schedule took.
	Manual bool `json:"manual"`
	// FullSize and DiffSize are in bytes; nil until Neon has calculated them.
	FullSize *int64 `json:"full_size"`
	DiffSize *int64 `json:"diff_size"`
}

var snapshotKind = kind[Snapshot]{
	noun: "snapshot", isSaid: true, route: "/projects/{project_id}/snapshots", one: "/{snapshot_id}", field: "snapshots",
	object: "snapshot", deleted: "operations",
	id: func(snapshot Snapshot) string { return snapshot.ID },
}

// SnapshotCreate describes a snapshot to take. All fields are optional; LSN and Timestamp exclude each other.
type SnapshotCreate struct {
	Name, Slug, LSN      string // the slug can't be changed later
	Timestamp, ExpiresAt *time.Time
	// Within is the greatest age, by Neon's clock, of an earlier snapshot of that name that is returned; 0 for none.
	Within time.Duration
	// Since is the moment that such an earlier snapshot must not be older than.
	Since time.Time
	// Whole is the id of one that an earlier run has seen complete, which is returned even if operations failed since.
	Whole string
}

func (s SnapshotCreate) query() url.Values {
	query := url.Values{"name": {s.Name}, "slug": {s.Slug}, "lsn": {s.LSN}}
	for name, moment := range map[string]*time.Time{"timestamp": s.Timestamp, "expires_at": s.ExpiresAt} {
		if moment != nil {
			query.Set(name, moment.UTC().Format(time.RFC3339))
		}
	}
	return query
}

// SnapshotUpdate says what to change. A snapshot has no Protected.
type SnapshotUpdate = BranchUpdate

// CreateSnapshot takes a snapshot of a root branch. With Within, an earlier one may be returned.
// POST /projects/{project_id}/branches/{branch_id}/snapshot: https://api-docs.neon.tech/reference/createsnapshot
func (c *Client) CreateSnapshot(
	ctx context.Context, branch BranchRef, create SnapshotCreate,
) (*Answer[Snapshot], error) {
	making := creation[Snapshot]{
		kind: snapshotKind,
		request: call{
			method: http.MethodPost, route: "/projects/{project_id}/branches/{branch_id}/snapshot",
			params: []string{branch.ProjectID, branch.ID},
			query:  create.query(), subject: fmt.Sprintf("a snapshot named %q of branch %s", create.Name, branch.ID),
			by: unrepeatable,
		},
		place:   branch.ProjectID,
		listing: snapshotKind.listCall(branch.ProjectID),
		isAlike: func(snapshot Snapshot) bool { return create.mayBe(snapshot, branch.ID) },
		operations: func(ctx context.Context, snapshot Snapshot) ([]Operation, error) {
			// They are about its source, or about the branch with the copy, which Neon doesn't list.
			newest, err := c.newestOperations(ctx, branch.ProjectID)
			if err != nil {
				return nil, err
			}
			return c.ofHidden(ctx, branch, snapshot, newest, where(newest, func(o Operation) bool {
				return c.isUnfinished(o) && (o.BranchID == branch.ID || snapshot.mayHave(o))
			}))
		},
	}
	if create.Within > 0 {
		making.meets = func(ctx context.Context, alike []Snapshot) (*Answer[Snapshot], error) {
			return c.adoptSnapshot(ctx, branch, create, c.clock.now(), alike)
		}
	}
	return making.run(ctx, c)
}

// mayHave reports whether an operation may belong to the snapshot's creation: it isn't older, and isn't an endpoint's.
func (s Snapshot) mayHave(o Operation) bool {
	return o.BranchID != "" && o.EndpointID == "" && !o.CreatedAt.Before(s.CreatedAt.Add(-clockTolerance))
}

// ofHidden returns those of the operations that are about the branch, or about the branch with the snapshot's copy,
// which Neon doesn't list. Neon doesn't list deleted branches either: these are told by operations that the snapshot
// can't have (see mayHave) among the project's newest.
func (c *Client) ofHidden(
	ctx context.Context, branch BranchRef, snapshot Snapshot, newest, operations []Operation,
) ([]Operation, error) {
	isOthers := func(o Operation) bool { return o.BranchID != branch.ID }
	if !slices.ContainsFunc(operations, isOthers) {
		return operations, nil
	}
	branches, err := All(c.ListBranches(ctx, branch.ProjectID, BranchQuery{}))
	return slices.DeleteFunc(operations, func(o Operation) bool {
		return isOthers(o) && (slices.ContainsFunc(branches, func(listed Branch) bool { return listed.ID == o.BranchID }) ||
			slices.ContainsFunc(newest, func(other Operation) bool {
				return other.BranchID == o.BranchID && !snapshot.mayHave(other)
			}))
	}), err
}

// adoptSnapshot returns the newest earlier snapshot that is as requested, with its unfinished operations; nil for none.
// One with an operation that may have failed isn't returned, unless Whole names it.
func (c *Client) adoptSnapshot(
	ctx context.Context, branch BranchRef, create SnapshotCreate, now time.Time, alike []Snapshot,
) (*Answer[Snapshot], error) {
	present := slices.DeleteFunc(alike, func(s Snapshot) bool {
		isEarlier := s.Timestamp != nil && s.CreatedAt.Sub(*s.Timestamp) > clockTolerance
		return !create.IsRecent(s, now) || s.Name != create.Name || s.SourceBranchID != branch.ID || isEarlier ||
			!create.lasts(s)
	})
	if len(present) == 0 {
		return nil, nil //nolint:nilnil // There is none.
	}
	if i := slices.IndexFunc(present, func(s Snapshot) bool { return s.ID == create.Whole }); i >= 0 {
		return &Answer[Snapshot]{Object: present[i]}, nil
	}
	newest := slices.MaxFunc(present, func(a, b Snapshot) int { return a.CreatedAt.Compare(b.CreatedAt) })
	all, err := c.newestOperations(ctx, branch.ProjectID)
	if err != nil {
		return nil, err
	}
	operations, err := c.ofHidden(ctx, branch, newest, all, where(all, func(o Operation) bool {
		return !o.hasEffect() && newest.mayHave(o)
	}))
	if err != nil || slices.ContainsFunc(operations, func(o Operation) bool { return o.failing() || o.Terminal() }) {
		return nil, err
	}
	return &Answer[Snapshot]{Object: newest, Operations: operations}, nil
}

// IsRecent reports whether a snapshot is new enough, at a moment by Neon's clock, to be returned in place of another.
func (s SnapshotCreate) IsRecent(snapshot Snapshot, at time.Time) bool {
	return at.Sub(snapshot.CreatedAt) < s.Within && snapshot.CreatedAt.After(s.Since)
}

// lasts reports whether a snapshot expires about when the requested one would.
func (s SnapshotCreate) lasts(snapshot Snapshot) bool {
	if s.ExpiresAt == nil || snapshot.ExpiresAt == nil {
		return snapshot.ExpiresAt == nil
	}
	return !snapshot.ExpiresAt.Before(s.ExpiresAt.Add(-s.Within - clockTolerance))
}

// mayBe reports whether a snapshot may be the requested one, by its name, its slug and its moment.
func (s SnapshotCreate) mayBe(snapshot Snapshot, branchID string) bool {
	return snapshot.Manual && (snapshot.SourceBranchID == "" || snapshot.SourceBranchID == branchID) &&
		(s.Name == "" || s.Name == snapshot.Name) && (s.Slug == "" || s.Slug == snapshot.Slug) &&
		(s.LSN == "" || snapshot.LSN == "" || s.LSN == snapshot.LSN) &&
		(s.Timestamp == nil || snapshot.Timestamp == nil ||
			s.Timestamp.Truncate(time.Second).Equal(snapshot.Timestamp.Truncate(time.Second)))
}

// GetSharedSnapshot reads one snapshot.
// GET /projects/{project_id}/snapshots: https://api-docs.neon.tech/reference/listsnapshots
func (c *Client) GetSharedSnapshot(ctx context.Context, snapshot SnapshotRef) (*Snapshot, error) {
	return snapshotKind.shared(ctx, c, snapshot.ProjectID, snapshot.ID)
}

// ListSnapshots lists the snapshots of a project.
// GET /projects/{project_id}/snapshots: https://api-docs.neon.tech/reference/listsnapshots
func (c *Client) ListSnapshots(ctx context.Context, projectID string) iter.Seq2[Snapshot, error] {
	return snapshotKind.list(ctx, c, projectID)
}

// UpdateSnapshot changes name or expiry in place.
// PATCH /projects/{project_id}/snapshots/{snapshot_id}: https://api-docs.neon.tech/reference/updatesnapshot
func (c *Client) UpdateSnapshot(ctx context.Context, snapshot SnapshotRef, update SnapshotUpdate) (*Snapshot, error) {
	return ObjectOf(snapshotKind.update(ctx, c, update.fields(), 1, snapshot.ProjectID, snapshot.ID))
}

// DeleteSnapshot deletes a snapshot, for good.
// DELETE /projects/{project_id}/snapshots/{snapshot_id}: https://api-docs.neon.tech/reference/deletesnapshot
func (c *Client) DeleteSnapshot(ctx context.Context, snapshot SnapshotRef) ([]Operation, error) {
	return snapshotKind.delete(ctx, c, snapshot.ProjectID, snapshot.ID)
}
