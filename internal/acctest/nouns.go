package acctest

import (
	"sync"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

var readNouns = sync.OnceValues(func() (map[string]nouns.Noun, error) { return nouns.Read(RepositoryDir) })

// Nouns returns what each noun.hcl says, by its folder.
func Nouns(t *testing.T) map[string]nouns.Noun {
	t.Helper()
	all, err := readNouns()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// NounResources returns what the nouns say of their managed resources, by the resources' names.
func NounResources(t *testing.T) map[string]nouns.Resource {
	t.Helper()
	return nouns.Resources(Nouns(t))
}

// NounResource returns what its noun says of the managed resource of that name.
func NounResource(t *testing.T, name string) nouns.Resource {
	t.Helper()
	resource, ok := NounResources(t)[name]
	if !ok {
		t.Fatalf("no noun.hcl has a block resource %q: the folder of its noun in internal/provider says there what tests "+
			"need to know of it", name)
	}
	return resource
}
