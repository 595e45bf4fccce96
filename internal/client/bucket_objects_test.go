package client

import (
	"net/http"
	"strings"
	"testing"
)

// An object is read by the first of those that begin with its key: another isn't it. A 404 proves nothing while the
// bucket is there. One that can't be decoded is there, so that its bucket isn't empty.
func TestReadAnObject(t *testing.T) {
	t.Parallel()
	at := BucketPlace{aBranch, "k", "x"}
	if object, err := newClient(t, always(http.StatusOK, `{"objects":[{"key":"x2"}]}`)).GetSharedBucketObject(t.Context(),
		at); !IsAbsent(err) {
		t.Errorf("beside one that begins alike: got %v, %v", object, err)
	}
	odd := newClient(t, always(http.StatusOK, `{"objects":[{"key":"x","size":"odd"}]}`))
	if object, err := odd.GetSharedBucketObject(t.Context(), at); err == nil || IsAbsent(err) {
		t.Errorf("one that can't be decoded: got %v, %v", object, err)
	}
	if object, err := odd.GetAnyBucketObject(t.Context(), aBranch, "k"); err == nil {
		t.Errorf("any of such: got %v, %v", object, err)
	}
	for buckets, isGone := range map[string]bool{`{"buckets":[]}`: true, `{"buckets":[{"name":"k"}]}`: false} {
		platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
			if strings.HasSuffix(request.URL.Path, "/objects") {
				return respond(request, http.StatusNotFound, `{"message":"bucket not found"}`), nil
			}
			return respond(request, http.StatusOK, strings.TrimSuffix(buckets, "}")+
				`,"branch":{"id":"b"},"branches":[{"id":"b"}]}`), nil
		}}
		if _, err := newClient(t, platform).GetSharedBucketObject(t.Context(), at); err == nil || IsAbsent(err) != isGone {
			t.Errorf("%s: got %v", buckets, err)
		}
	}
}

// A page proves nothing of what it lacks while another one follows, in whatever order Neon lists.
func TestReadAnObject_onALaterPage(t *testing.T) {
	platform := inTurn(`{"objects":[{"key":"x2"}],"next_cursor":"c"}`, `{"objects":[{"key":"x","size":7}]}`)
	object, err := newClient(t, platform).GetSharedBucketObject(t.Context(), BucketPlace{aBranch, "k", "x"})
	if err != nil || object.Size != 7 {
		t.Errorf("got %v, %v", object, err)
	}
}

// What is in folders is deleted by the folder.
func TestEmptyBucket_folders(t *testing.T) {
	t.Parallel()
	isThere := true
	platform := &fakePlatform{answer: func(_ int, request *http.Request) (*http.Response, error) {
		switch {
		case request.Method == http.MethodDelete:
			isThere = isThere && request.URL.RequestURI() != "/api/v2/projects/p/branches/b/buckets/k/objects-by-prefix?prefix=f%2F"
			return respond(request, http.StatusOK, `{"deleted":1}`), nil
		case isThere && request.URL.Query().Get("delimiter") != "":
			return respond(request, http.StatusOK, `{"folders":["f/"],"objects":[]}`), nil
		}
		return respond(request, http.StatusOK, `{"folders":[],"objects":[]}`), nil
	}}
	if err := newClient(t, platform).EmptyBucket(t.Context(), aBranch, "k"); err != nil || isThere {
		t.Errorf("got %v; the folder is there: %t", err, isThere)
	}
	equal(t, "requests", platform.count(), 3)
}
