package acctest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// MakeKey makes a key past Terraform, and returns its id.
func (w *World) MakeKey(t *testing.T, scope client.APIKeyScope, name string) string {
	t.Helper()
	made, err := client.ObjectOf(w.Client(t).CreateAPIKey(t.Context(), scope, name))
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatInt(made.ID, 10)
}

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

// KeyIDs are those of the keys in the scope for which wants is true.
func (w *World) KeyIDs(t *testing.T, scope client.APIKeyScope, wants func(client.APIKey) bool) []string {
	t.Helper()
	keys, err := client.All(w.Client(t).ListAPIKeys(t.Context(), scope))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, key := range keys {
		if wants(key) {
			ids = append(ids, strconv.FormatInt(key.ID, 10))
		}
	}
	return ids
}
