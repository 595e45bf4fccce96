package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// BucketObject is an object without its content.
type BucketObject struct {
	Key  string `json:"key"`
	Size int64  `json:"size"`
	ETag string `json:"etag"`
}

var objectKind = kind[BucketObject]{
	noun: "object", route: "/projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects",
	one: "/{object_key}", isNamed: true, field: "objects", isPaged: true, few: fewReads,
	id: func(object BucketObject) string { return object.Key },
}

// BucketPlace is where an object is.
type BucketPlace struct {
	Branch      BranchRef
	Bucket, Key string
}

func (p BucketPlace) call(method, suffix string) call {
	return objectKind.of(method, suffix, p.Branch.ProjectID, p.Branch.ID, p.Bucket, p.Key)
}

// GetSharedBucketObject reads one object, without its content.
// GET /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects: https://api-docs.neon.tech/reference/listprojectbranchbucketobjects
func (c *Client) GetSharedBucketObject(ctx context.Context, at BucketPlace) (*BucketObject, error) {
	read := func() (*BucketObject, error) { return c.bucketObject(ctx, at) }
	return objectKind.sharedOr(ctx, c, at.Key, nil, read, at.Branch.ProjectID, at.Branch.ID, at.Bucket)
}

// bucketObject is GetSharedBucketObject by a list of its own, of those that begin with its key.
func (c *Client) bucketObject(ctx context.Context, at BucketPlace) (*BucketObject, error) {
	request := objectKind.listCall(at.Branch.ProjectID, at.Branch.ID, at.Bucket)
	request.query = url.Values{"prefix": {at.Key}}
	object, err := objectKind.first(ctx, c, request, func(object BucketObject) bool { return object.Key == at.Key })
	err = provedAbsent(err, fmt.Sprintf("branch %s has no bucket %q", at.Branch.ID, at.Bucket), func() error {
		if _, err := c.GetSharedBucket(ctx, at.Branch, at.Bucket); !IsAbsent(err) {
			return errors.Join(err, request.malformed("it says that there isn't a bucket that is in the list"))
		}
		return nil
	})
	if object == nil && err == nil {
		err = &AbsentError{What: fmt.Sprintf("bucket %q of branch %s has no object %q", at.Bucket, at.Branch.ID, at.Key),
			Noun: objectKind.noun}
	}
	return object, err
}

// GetAnyBucketObject returns an object of a bucket; nil where that is empty.
// GET /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects: https://api-docs.neon.tech/reference/listprojectbranchbucketobjects
func (c *Client) GetAnyBucketObject(ctx context.Context, branch BranchRef, bucket string) (*BucketObject, error) {
	request := objectKind.listCall(branch.ProjectID, branch.ID, bucket)
	request.query = url.Values{"limit": {"1"}}
	return objectKind.first(ctx, c, request, func(BucketObject) bool { return true })
}

// DeleteBucketObject deletes an object.
// DELETE /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}: https://api-docs.neon.tech/reference/deleteprojectbranchbucketobject
func (c *Client) DeleteBucketObject(ctx context.Context, at BucketPlace) error {
	request := at.call(http.MethodDelete, "")
	return end(ctx, c, request, "", func(ctx context.Context) (*BucketObject, error) {
		return c.bucketObject(ctx, at)
	})
}

// UploadError is an upload that failed at the storage, which isn't part of Neon's API.
type UploadError struct {
	What string
	// StatusCode is 0 where there was no answer, which Err says more about.
	StatusCode int
	Err        error
	response   *http.Response // nil for none
}

func (e *UploadError) Error() string {
	if e.StatusCode != 0 && e.isInDoubt() {
		return fmt.Sprintf("%s may have taken effect: the storage answered with %d %s", e.What, e.StatusCode,
			http.StatusText(e.StatusCode))
	}
	if e.StatusCode != 0 {
		return fmt.Sprintf("%s was answered by the storage with %d %s", e.What, e.StatusCode, http.StatusText(e.StatusCode))
	}
	return fmt.Sprintf("%s may have taken effect: the storage didn't answer: %v", e.What, e.Err)
}

func (e *UploadError) Unwrap() error { return e.Err }

// isInDoubt reports whether the upload may have taken effect all the same.
func (e *UploadError) isInDoubt() bool {
	return e.StatusCode == 0 || e.StatusCode == http.StatusRequestTimeout || e.StatusCode >= http.StatusInternalServerError
}

// mayPass reports whether another attempt may go better. S3 sends redirects for young buckets.
func (e *UploadError) mayPass() bool {
	return e.isInDoubt() && e.StatusCode != http.StatusInsufficientStorage ||
		e.StatusCode == http.StatusTooManyRequests || e.StatusCode == http.StatusTemporaryRedirect
}

// UploadBucketObject puts the content that open returns, of that many bytes, into an object in place of what it had.
// Each attempt opens it anew, and has an address of its own signed. It returns the ETag that the storage has for the
// content, empty where it doesn't say.
// POST /projects/{project_id}/branches/{branch_id}/buckets/{bucket_name}/objects/{object_key}/presign: https://api-docs.neon.tech/reference/presignprojectbranchbucketobject
func (c *Client) UploadBucketObject(
	ctx context.Context, at BucketPlace, contentType string, size int64, open func() (io.ReadCloser, error),
) (etag string, err error) {
	request := at.call(http.MethodPost, "/presign")
	request.subject, request.by = fmt.Sprintf("the upload of object %q to bucket %q", at.Key, at.Bucket),
		objectKind.named(request.params...)
	request.body = struct {
		Operation   string `json:"operation"`
		ContentType string `json:"content_type,omitempty"`
	}{"upload", contentType}
	defer c.forget(request.realm())
	isInDoubt := false // After an attempt that may have taken effect.
	defer func() {
		failed, isUploads := errors.AsType[*UploadError](err)
		if err != nil && isInDoubt && (!isUploads || !failed.isInDoubt()) {
			err = fmt.Errorf("%w; an earlier attempt had no answer, so that %s may have taken effect", err, request.subject)
		}
	}()
	for again := 0; ; again++ {
		signed, err := receiveOnce[presigned](ctx, c, request, "url", "method")
		if err == nil && ctx.Err() != nil {
			err = at.call(http.MethodPut, "").endedError(nil, ctx.Err())
		}
		if err != nil {
			return "", err
		}
		content, err := open()
		if err != nil {
			return "", err
		}
		etag, err := c.transfer(ctx, *signed, request.subject, size, content)
		failed, isUploads := errors.AsType[*UploadError](err)
		isInDoubt = isInDoubt || isUploads && failed.isInDoubt()
		if !isUploads || !failed.mayPass() || again >= c.maxRetries {
			return etag, err
		}
		pause := backoff(firstBackoff, longestWait, again, failed.response)
		left := longestRequest
		if deadline, has := ctx.Deadline(); has {
			left = time.Until(deadline)
		}
		if left < pause {
			return "", fmt.Errorf("%w; it asks for a pause of %s, which is longer than what is left of the timeout", err,
				pause.Round(time.Second))
		}
		if sleep(ctx, pause) != nil {
			return "", fmt.Errorf("%w (%w)", err, ctx.Err())
		}
	}
}

// watched calls moves with each read of the content, and counts what was read.
type watched struct {
	io.ReadCloser

	moves   func()
	size    atomic.Int64
	isWhole atomic.Bool
}

func (w *watched) Read(into []byte) (int, error) {
	w.moves()
	length, err := w.ReadCloser.Read(into)
	w.size.Add(int64(length))
	if errors.Is(err, io.EOF) {
		w.isWhole.Store(true)
	}
	return length, err
}

// presigned is where an object's content goes. The address is a secret.
type presigned struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
}

func (c *Client) transfer(
	ctx context.Context, signed presigned, what string, size int64, content io.ReadCloser,
) (etag string, err error) {
	defer func() { _ = content.Close() }()
	// A storage that takes nothing and says nothing is given up; after an interruption what is under way may end soon.
	attempt, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	silence := time.AfterFunc(attemptTimeout, cancel)
	defer silence.Stop()
	defer context.AfterFunc(ctx, func() {
		_ = sleep(attempt, creationGrace)
		cancel()
	})()
	body := &watched{ReadCloser: content, moves: func() { silence.Reset(attemptTimeout) }}
	built, err := http.NewRequestWithContext(attempt, signed.Method, signed.URL, body)
	if err != nil {
		return "", &UploadError{What: what, Err: errors.New("the address that Neon signed for it can't be used")}
	}
	built.ContentLength = size
	if size == 0 {
		built.Body = http.NoBody
	}
	for name, value := range signed.Headers {
		built.Header.Set(name, value)
	}
	response, err := c.storage.Do(built)
	if err != nil {
		if failed, isOfAddress := errors.AsType[*url.Error](err); isOfAddress {
			err = failed.Err // It repeats the address.
		}
		if read := body.size.Load(); body.isWhole.Load() && read != size {
			return "", fmt.Errorf("%s ended: the content has %d bytes, and had %d when it began", what, read, size)
		}
		return "", &UploadError{What: what, Err: err}
	}
	_ = response.Body.Close()
	if response.StatusCode/100 != 2 {
		return "", &UploadError{What: what, StatusCode: response.StatusCode, response: response}
	}
	return strings.Trim(response.Header.Get("ETag"), `"`), nil
}
