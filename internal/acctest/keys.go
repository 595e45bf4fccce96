package acctest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
)

// MakeUnusedKey makes a key past the client, which uses what it creates, and returns its id.
func (w *World) MakeUnusedKey(t *testing.T, path string, body map[string]string) string {
	t.Helper()
	var made struct{ ID int64 }
	if err := json.Unmarshal(w.Request(t, http.MethodPost, "/api/v2"+path, body), &made); err != nil || made.ID == 0 {
		t.Fatalf("key %d: %v", made.ID, err)
	}
	return strconv.FormatInt(made.ID, 10)
}
