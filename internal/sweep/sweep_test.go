package sweep_test

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sweep"
)

// What tests left is listed, and revoked when the answer is yes; nothing of another name is.
func TestRun(t *testing.T) {
	t.Parallel()
	e, err := emulator.New(emulator.Config{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	world := e.FirstWorld()
	api, err := client.New(client.Config{BaseURL: server.URL, APIKey: world.APIKey})
	if err != nil {
		t.Fatal(err)
	}
	scopes := []client.APIKeyScope{{}, {OrgID: world.OrgID}}
	theirs := []string{"ours", "my-" + sweep.Prefix + "key", strings.ToUpper(sweep.Prefix) + "1"}
	for _, scope := range append(scopes, client.APIKeyScope{OrgID: world.OrgID, ProjectID: world.ProjectID}) {
		for _, name := range append([]string{sweep.Prefix + "1"}, theirs...) {
			if _, err := client.ObjectOf(api.CreateAPIKey(t.Context(), scope, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	names := func() (all []string) {
		for _, scope := range scopes {
			keys, err := client.All(api.ListAPIKeys(t.Context(), scope))
			if err != nil {
				t.Fatal(err)
			}
			for _, key := range keys {
				all = append(all, key.Name)
			}
		}
		return all
	}
	run := func(answer string) string {
		t.Helper()
		var said strings.Builder
		if err := sweep.Run(t.Context(), api, world.OrgID, strings.NewReader(answer), &said); err != nil {
			t.Fatal(err)
		}
		return said.String()
	}
	before := names()
	for _, answer := range []string{"", "y\n", "no\n", "YES\n"} {
		if said := run(answer); strings.Count(said, sweep.Prefix+"1") != 3 ||
			!strings.Contains(said, "Nothing was revoked") || !slices.Equal(names(), before) {
			t.Errorf("%q: %s", answer, said)
		}
	}
	run("yes\n")
	wanted := slices.DeleteFunc(before, func(name string) bool { return name == sweep.Prefix+"1" })
	if left := names(); !slices.Equal(left, wanted) {
		t.Errorf("left are %q, want %q", left, wanted)
	}
	if said := run("yes\n"); !strings.Contains(said, "Nothing is named") {
		t.Errorf("said is %s", said)
	}
}
