package stories_test

import (
	"path/filepath"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/terraformcli"
)

// withMirror has terraform init find the built provider in a folder, as it would in
// the Registry.
func withMirror(t *testing.T, r acctest.Run) acctest.Run {
	t.Helper()
	own, err := acctest.BuiltProvider()
	if err != nil {
		t.Fatal(err)
	}
	source := acctest.ExampleSource.FindStringSubmatch(acctest.ReadExample(t, "provider/provider.tf"))[1] + "/neon"
	if err := terraformcli.WriteMirror(filepath.Join(r.Folder, "dev.tfrc"), t.TempDir(), own, source,
		"0.1.1"); err != nil {
		t.Fatal(err)
	}
	return r.StartingProvider()
}
