package acctest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Request sends a request past the client, with a body where there is something to send, and returns the answer,
// which has to be a success. The path begins with /api/v2.
func (w *World) Request(t *testing.T, method, path string, send any) []byte {
	t.Helper()
	var body bytes.Buffer
	if send != nil {
		if err := json.NewEncoder(&body).Encode(send); err != nil {
			t.Fatal(err)
		}
	}
	// The end of a test may send some, too.
	request, err := http.NewRequestWithContext(context.Background(), method, strings.TrimRight(w.BaseURL, "/")+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+w.APIKey)
	if send != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusMultipleChoices {
		t.Fatalf("%s %s: %s %s %v", method, path, response.Status, answer, err)
	}
	return answer
}

// SentNothingWide checks that since ForgetRequests nothing was sent that not every key may: no
// list of projects, no route of users, and none that contains one of the others.
func (w *World) SentNothingWide(t *testing.T, others ...string) {
	t.Helper()
	for route := range w.Requests(t).ByRoute {
		for _, wide := range append(others, "/users/") {
			if strings.Contains(route, wide) || route == "GET /api/v2/projects" {
				t.Errorf("%s was sent", route)
			}
		}
	}
}
