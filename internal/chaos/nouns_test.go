package chaos

import (
	"slices"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// Chaos plays each managed resource.
func TestResources_all(t *testing.T) {
	t.Parallel()
	all, err := nouns.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	for folder, noun := range all {
		for _, resource := range noun.Resources {
			if !slices.Contains(resources, resource.Name) {
				t.Errorf("%s of internal/provider/%s isn't one of the resources in kinds.go", resource.Name, folder)
			}
		}
	}
}
