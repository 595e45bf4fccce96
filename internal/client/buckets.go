package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"
)

// Storage is where object storage of a branch is reached by S3.
type Storage struct {
	S3Endpoint     string `json:"s3_endpoint"`
	Region         string `json:"region"`
	ForcePathStyle bool   `json:"force_path_style"`
}

// GetStorage reads where object storage of a branch is reached. If it has none, the error is an Error with a Reason.
// GET /projects/{project_id}/branches/{branch_id}/storage: https://api-docs.neon.tech/reference/getprojectbranchstorage
func (c *Client) GetStorage(ctx context.Context, branch BranchRef) (*Storage, error) {
	request := branchKind.of(http.MethodGet, "/storage", branch.ProjectID, branch.ID)
	return receive[Storage](ctx, c, request, "s3_endpoint")
}

// GetAIGateway returns the address of a branch's AI gateway. Where its region has none, that is an Error with a Reason.
// GET /projects/{project_id}/branches/{branch_id}/ai_gateway: https://api-docs.neon.tech/reference/getprojectbranchaigateway
func (c *Client) GetAIGateway(ctx context.Context, branch BranchRef) (string, error) {
	request := branchKind.of(http.MethodGet, "/ai_gateway", branch.ProjectID, branch.ID)
	return receiveField[string](ctx, c, request, "base_url")
}

// Bucket is a bucket of a branch, its own or inherited from a parent.
type Bucket struct {
	Name string `json:"name"`
	// Access is an open set: "private" or "public_read".
	Access    string    `json:"access_level"`
	CreatedAt time.Time `json:"created_at"`
}

var bucketKind = kind[Bucket]{
	noun: "bucket", route: "/projects/{project_id}/branches/{branch_id}/buckets", one: "/{bucket_name}", isNamed: true,
	field: "buckets", object: "bucket",
	id:     func(bucket Bucket) string { return bucket.Name },
	madeAt: func(bucket Bucket) time.Time { return bucket.CreatedAt },
}

// AccessError is an inherited bucket of another access level than the requested one, which Neon can't change.
type AccessError struct{ Access string }

func (e *AccessError) Error() string { return "the parent's bucket of that name is " + e.Access }

// CreateBucket creates a bucket. If the branch inherits one of that name, that becomes its own, with its objects. The
// error is ErrTaken if the branch has its own already.
// POST /projects/{project_id}/branches/{branch_id}/buckets: https://api-docs.neon.tech/reference/createprojectbranchbucket
func (c *Client) CreateBucket(ctx context.Context, branch BranchRef, name, access string) (*Bucket, error) {
	making := bucketKind.creation(branch, name, struct {
		Name   string `json:"name"`
		Access string `json:"access_level,omitempty"`
	}{name, access})
	making.meets = func(ctx context.Context, alike []Bucket) (*Answer[Bucket], error) {
		known := alike[0]
		isInherited, err := c.IsBucketInherited(ctx, branch, &known)
		switch {
		case err != nil:
			return nil, err
		case !isInherited:
			return nil, &TakenError{name}
		case access != "" && access != known.Access:
			return nil, &AccessError{known.Access}
		}
		return c.takeOverBucket(ctx, making.request, known)
	}
	return making.object(ctx, c)
}

// takeOverBucket makes an inherited bucket the branch's own, by the request that creates one. Neon refuses it if an
// earlier attempt, or somebody else, has done so.
func (c *Client) takeOverBucket(ctx context.Context, request call, known Bucket) (*Answer[Bucket], error) {
	Say(ctx, "The branch has bucket %s from its parent. This makes it the branch's own.", known.Name)
	attempts := 0
	return writeOnce(ctx, c, request, func() (*Answer[Bucket], error) {
		attempts++
		answer, err := bucketKind.receive(ctx, c, request)
		switch {
		case IsRefused(err) && attempts > 1:
			return &Answer[Bucket]{Object: known}, nil
		case IsRefused(err):
			return nil, &TakenError{known.Name}
		}
		return answer, err
	}, nil)
}

// ListBuckets lists the buckets of a branch, inherited ones too.
// GET /projects/{project_id}/branches/{branch_id}/buckets: https://api-docs.neon.tech/reference/listprojectbranchbuckets
func (c *Client) ListBuckets(ctx context.Context, branch BranchRef) iter.Seq2[Bucket, error] {
	return bucketKind.list(ctx, c, branch.ProjectID, branch.ID)
}

// GetSharedBucket reads one bucket.
// GET /projects/{project_id}/branches/{branch_id}/buckets: https://api-docs.neon.tech/reference/listprojectbranchbuckets
func (c *Client) GetSharedBucket(ctx context.Context, branch BranchRef, name string) (*Bucket, error) {
	return bucketKind.shared(ctx, c, branch.ProjectID, branch.ID, name)
}

// DeleteBucket deletes a bucket, which must be empty. An inherited one stays on the parent.
// DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}: https://api-docs.neon.tech/reference/deleteprojectbranchbucket
func (c *Client) DeleteBucket(ctx context.Context, branch BranchRef, name string) error {
	return bucketKind.end(ctx, c, branch.ProjectID, branch.ID, name)
}

// EmptyBucket deletes all objects of a bucket, whole folders at once. The deletion of a folder leaves inherited
// objects, which are deleted one by one.
// DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}: https://api-docs.neon.tech/reference/deleteprojectbranchbucketobject
// DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects-by-prefix: https://api-docs.neon.tech/reference/deleteprojectbranchbucketobjectsbyprefix
func (c *Client) EmptyBucket(ctx context.Context, branch BranchRef, name string) error {
	request := bucketKind.of(http.MethodGet, "/objects", branch.ProjectID, branch.ID, name)
	request.query = map[string][]string{"delimiter": {"/"}}
	type page struct {
		Folders []string       `json:"folders"`
		Objects []BucketObject `json:"objects"`
	}
	// Cursors don't hold while objects are deleted, so the first page is read until it is empty.
	seen, behind := map[string]bool{}, 0
	for {
		found, err := receive[page](ctx, c, request, "objects")
		if err != nil || len(found.Folders)+len(found.Objects) == 0 {
			return err
		}
		before := len(seen)
		for _, folder := range found.Folders {
			seen[folder] = true
			deletion := bucketKind.of(http.MethodDelete, "/objects-by-prefix", branch.ProjectID, branch.ID, name)
			deletion.query, deletion.subject = map[string][]string{"prefix": {folder}}, fmt.Sprintf("the deletion of %q in "+
				"bucket %q", folder, name)
			if err := c.settle(ctx, deletion, "deleted", nil); err != nil {
				return err
			}
		}
		for _, object := range found.Objects {
			seen[object.Key] = true
			if err := c.DeleteBucketObject(ctx, BucketPlace{branch, name, object.Key}); err != nil {
				return err
			}
		}
		if len(seen) > before {
			continue
		}
		if request.query != nil {
			request.query = nil
			continue
		}
		if behind++; behind >= len(settlingLooks) {
			return request.malformed("it still has what was deleted")
		}
		if err := sleep(ctx, settlingLooks[behind]); err != nil {
			return request.endedError(nil, err)
		}
	}
}
