package stories_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// stateBucket is as much of S3 as Terraform's backend asks for.
type stateBucket struct {
	url string

	mu      sync.Mutex
	objects map[string][]byte
}

func startStateBucket(t *testing.T) *stateBucket {
	t.Helper()
	b := &stateBucket{objects: map[string][]byte{}}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.url = server.URL
	return b
}

// Environment points Terraform's backend at the bucket.
func (b *stateBucket) environment() []string {
	return []string{
		"AWS_ENDPOINT_URL_S3=" + b.url, "AWS_ENDPOINT_URL_STS=" + b.url, "AWS_ACCESS_KEY_ID=test",
		"AWS_SECRET_ACCESS_KEY=test",
		"AWS_SESSION_TOKEN=", "AWS_PROFILE=", "AWS_EC2_METADATA_DISABLED=true",
	}
}

// keys are the names of what the bucket holds.
func (b *stateBucket) keys() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.objects))
}

// ServeHTTP answers for one object, for a list, and who it is that asks.
func (b *stateBucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	object, exists := b.objects[key]
	switch {
	case key == "" && r.Method == http.MethodPost:
		_, _ = io.WriteString(w, "<GetCallerIdentityResponse><GetCallerIdentityResult><Account>123456789012</Account>"+
			"<Arn>arn:aws:iam::123456789012:role/states</Arn></GetCallerIdentityResult></GetCallerIdentityResponse>")
	case key == "":
		_, _ = io.WriteString(w, "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>")
	case r.Method == http.MethodPut && exists && r.Header.Get("If-None-Match") == "*":
		http.Error(w, "<Error><Code>PreconditionFailed</Code></Error>", http.StatusPreconditionFailed)
	case r.Method == http.MethodPut:
		b.objects[key] = body
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case !exists:
		http.Error(w, "<Error><Code>NoSuchKey</Code></Error>", http.StatusNotFound)
	default:
		// Terraform reads a state in parts, until it has all of it.
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(object))
	}
}
