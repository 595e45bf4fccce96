package chaos

import (
	"slices"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// Chaos plays each managed resource, or its noun says why not.
func TestResources_all(t *testing.T) {
	t.Parallel()
	all, err := nouns.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	for folder, noun := range all {
		for _, resource := range noun.Resources {
			if slices.Contains(resources, resource.Name) == (resource.NotAttacked != "") {
				t.Errorf("%s isn't one of the resources in kinds.go, and not_attacked of internal/provider/%s/noun.hcl doesn't say why; or both", resource.Name, folder)
			}
		}
	}
}
