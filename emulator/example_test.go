package emulator_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/seed-a7382548/terraform-provider-neon/emulator"
)

func Example() {
	neon, err := emulator.New(context.Background(), emulator.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = neon.Close() }()
	server := httptest.NewServer(neon)
	defer server.Close()

	world := neon.World()
	request, err := http.NewRequest(http.MethodGet, server.URL+"/api/v2/projects/"+world.ProjectID, http.NoBody)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+world.APIKey)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	fmt.Println(response.Status)
	// Output: 200 OK
}
