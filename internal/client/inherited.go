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

// IsBucketInherited reports whether a bucket of a branch was made on its parent. Neon may say the same of one that has
// become the branch's own since.
// GET /projects/{project_id}/branches/{branch_id}/buckets: https://api-docs.neon.tech/reference/listprojectbranchbuckets
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) IsBucketInherited(ctx context.Context, branch BranchRef, bucket *Bucket) (bool, error) {
	return c.isFromParent(ctx, branch, bucket.CreatedAt, func(ctx context.Context, parent BranchRef) (bool, error) {
		parents, err := c.GetSharedBucket(ctx, parent, bucket.Name)
		return err == nil && parents.CreatedAt.Equal(bucket.CreatedAt), err
	})
}

// IsAuthInherited reports whether the parent of a branch has Neon Auth, too: the branch began with a copy of it.
// GET /projects/{project_id}/branches/{branch_id}/auth: https://api-docs.neon.tech/reference/getneonauth
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) IsAuthInherited(ctx context.Context, branch BranchRef) (bool, error) {
	return c.isFromParent(ctx, branch, time.Time{}, func(ctx context.Context, parent BranchRef) (bool, error) {
		_, err := c.GetAuth(ctx, parent)
		return err == nil, err
	})
}

// IsOAuthProviderInherited reports whether the parent of a branch has an OAuth provider, too.
// GET /projects/{project_id}/branches/{branch_id}/auth/oauth_providers: https://api-docs.neon.tech/reference/listbranchneonauthoauthproviders
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) IsOAuthProviderInherited(ctx context.Context, branch BranchRef, id string) (bool, error) {
	return c.isFromParent(ctx, branch, time.Time{}, func(ctx context.Context, parent BranchRef) (bool, error) {
		_, err := c.GetSharedAuthOAuthProvider(ctx, parent, id)
		return err == nil, err
	})
}

// IsAuthDomainInherited reports whether the parent of a branch trusts a domain, too.
// GET /projects/{project_id}/branches/{branch_id}/auth/domains: https://api-docs.neon.tech/reference/listbranchneonauthtrusteddomains
// GET /projects/{project_id}/branches/{branch_id}: https://api-docs.neon.tech/reference/getprojectbranch
func (c *Client) IsAuthDomainInherited(ctx context.Context, branch BranchRef, domain string) (bool, error) {
	return c.isFromParent(ctx, branch, time.Time{}, func(ctx context.Context, parent BranchRef) (bool, error) {
		_, err := c.GetSharedAuthDomain(ctx, parent, domain)
		return err == nil, err
	})
}
