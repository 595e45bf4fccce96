package acctest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
)

// MakeUnusedKey does so past the client too, which uses what it creates.
func (w *World) MakeUnusedKey(t *testing.T, path string, body map[string]string) string {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.BaseURL+"/api/v2"+path,
		bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+w.APIKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	var made struct{ ID int64 }
	if err := json.NewDecoder(response.Body).Decode(&made); err != nil || made.ID == 0 {
		t.Fatalf("%s: %v", response.Status, err)
	}
	return strconv.FormatInt(made.ID, 10)
}
