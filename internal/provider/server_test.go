package provider_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// A key that is being created when Terraform stops the provider is revoked before that has stopped: the program may end
// right after.
func TestServer_closesWhatIsBeingMade(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{Route: "POST /api/v2/api_keys", Kind: "slow", Delay: "500ms", Count: 1})
	p := acctest.NewProtocol(t, w)
	kind := p.Schema.EphemeralResourceSchemas["neon_api_key"].ValueType()
	request := &tfprotov6.OpenEphemeralResourceRequest{TypeName: "neon_api_key",
		Config: acctest.Dynamic(t, kind, acctest.Object(kind, acctest.Texts(map[string]string{"name": "for this run"})))}
	opened := make(chan error, 1)
	go func() {
		_, err := p.OpenEphemeralResource(t.Context(), request)
		opened <- err
	}()
	for w.Requests(t).ByRoute["POST /api/v2/api_keys"] == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := p.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{}); err != nil {
		t.Fatal(err)
	}
	if revoked := w.Requests(t).ByRoute["DELETE /api/v2/api_keys/{key_id}"]; revoked != 1 {
		t.Errorf("it has stopped, and has revoked %d keys", revoked)
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
	w.OnlyTheFirst(t)
}

// Terraform hears no error of a list once the provider has stopped, and takes the list for a whole one.
func TestServer_stopsWhenListsHaveEnded(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	p := acctest.NewProtocol(t, w)
	kind := p.Schema.ListResourceSchemas["neon_project"].ValueType()
	lists, isServed := p.ProviderServer.(tfprotov6.ListResourceServer)
	if !isServed {
		t.Fatal("it serves no lists")
	}
	list, err := lists.ListResource(t.Context(), &tfprotov6.ListResourceRequest{TypeName: "neon_project", Limit: 10,
		Config: acctest.Dynamic(t, kind, acctest.Object(kind, nil))})
	if err != nil {
		t.Fatal(err)
	}
	listing, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		<-listing
		_, err := p.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{})
		stopped <- err
	}()
	said := ""
	for result := range list.Results {
		for _, problem := range result.Diagnostics {
			said += problem.Detail
		}
		if said != "" {
			continue
		}
		close(listing)
		select {
		case err := <-stopped:
			t.Fatalf("it has stopped before the list has ended (%v)", err)
		case <-time.After(200 * time.Millisecond):
		}
	}
	if err := <-stopped; err != nil || !strings.HasSuffix(said, "Run the query again.") {
		t.Errorf("the list says %q; %v", said, err)
	}
}
