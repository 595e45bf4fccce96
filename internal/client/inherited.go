package client

import (
	"context"
	"time"
)

// isFromParent reports whether a branch has something only from its parent: it is older than the branch, or the parent
// has the very same. A root has nothing from others.
func (c *Client) isFromParent(
	ctx context.Context, ref BranchRef, made time.Time, same func(ctx context.Context, parent BranchRef) (bool, error),
) (bool, error) {
	branch, err := c.GetSharedBranch(ctx, ref)
	if err != nil || branch.ParentID == "" {
		return false, err
	}
	if !made.IsZero() && made.Before(branch.CreatedAt) {
		return true, nil
	}
	isSame, err := same(ctx, BranchRef{ProjectID: ref.ProjectID, ID: branch.ParentID})
	if IsAbsent(err) {
		return false, nil
	}
	return isSame, err
}

// IsFunctionInherited reports whether a branch has a function, by its newest deployment, only from its parent.
// GET /projects/{project_id}/branches/{branch_id}/functions/{slug}: https://api-docs.neon.tech/reference/getprojectbranchfunction
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) IsFunctionInherited(ctx context.Context, branch BranchRef, function *Function) (bool, error) {
	var made time.Time
	if function.Current != nil {
		made = function.Current.CreatedAt
	}
	return c.isFromParent(ctx, branch, made, func(ctx context.Context, parent BranchRef) (bool, error) {
		parents, err := c.GetSharedFunction(ctx, parent, function.Slug)
		return err == nil && function.ID == parents.ID && function.Current.is(parents.Current), err
	})
}

// IsBucketInherited reports whether a bucket was created on the branch's parent; it may have become its own since.
// GET /projects/{project_id}/branches/{branch_id}/buckets: https://api-docs.neon.tech/reference/listprojectbranchbuckets
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) IsBucketInherited(ctx context.Context, branch BranchRef, bucket *Bucket) (bool, error) {
	return c.isFromParent(ctx, branch, bucket.CreatedAt, func(ctx context.Context, parent BranchRef) (bool, error) {
		parents, err := c.GetSharedBucket(ctx, parent, bucket.Name)
		return err == nil && parents.CreatedAt.Equal(bucket.CreatedAt), err
	})
}

// IsInherited reports whether the parent of a branch has what get reads, too: the branch began with a copy of it.
func IsInherited[T any](
	ctx context.Context, c *Client, branch BranchRef, get func(ctx context.Context, parent BranchRef) (T, error),
) (bool, error) {
	return c.isFromParent(ctx, branch, time.Time{}, func(ctx context.Context, parent BranchRef) (bool, error) {
		_, err := get(ctx, parent)
		return err == nil, err
	})
}

// TakeOver marks what a branch inherits as owned by a caller, once for each name; Neon isn't told. ErrTaken means that
// it isn't inherited, or has an owner already.
func TakeOver[T any](
	ctx context.Context, c *Client, branch BranchRef, name string,
	get func(ctx context.Context, parent BranchRef) (T, error),
) error {
	isOurs, err := IsInherited(ctx, c, branch, get)
	if isOurs {
		_, isTaken := c.creations.taken.LoadOrStore(branch.ProjectID+"/"+branch.ID+" has from its parent "+name, true)
		isOurs = !isTaken
	}
	if err == nil && !isOurs {
		return ErrTaken
	}
	return err
}
