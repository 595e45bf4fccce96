package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/emulator"
)

func TestMyApplication(t *testing.T) {
	neon, err := emulator.New(t.Context(), emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = neon.Close() }()
	server := httptest.NewServer(neon)
	defer server.Close()

	world := neon.World()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/v2/projects/"+world.ProjectID,
		http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+world.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		t.Errorf("the project: %s", response.Status)
	}
}
