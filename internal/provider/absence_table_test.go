package provider_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What descriptions of neon_project say of a setting that is left out, by what the table of its
// page says.
var saysLeftOut = map[string]*regexp.Regexp{
	"it gets Neon's neutral value":                regexp.MustCompile("Left out, removed or empty|Left out or removed, it is `false`|Without it there are no limits"),
	"it is kept as it is, whoever set it":         regexp.MustCompile("it is kept as it is|the project stays where it is|What isn't configured here isn't managed"),
	"it is kept as it is, for it can't be undone": regexp.MustCompile("can't be switched off again.*it is kept as it is"),
	"it is kept as it is, while another":          regexp.MustCompile("configured value replaces the project"),
	"it goes back to Neon's own":                  regexp.MustCompile("Removing it goes back to Neon's own"),
	"it counts for Terraform alone":               regexp.MustCompile("only affects this resource|How long to wait"),
}

// The table of neon_project's page has each setting once, in the row that its description agrees
// with.
func TestProject_tableOfWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../templates/resources/project.md.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	schema := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{})).Schema.ResourceSchemas["neon_project"]
	for _, attribute := range schema.Block.Attributes {
		if !attribute.Optional {
			continue
		}
		rows := slices.DeleteFunc(strings.Split(string(page), "\n"), func(line string) bool {
			_, settings, isRow := strings.Cut(line, " | ")
			return !isRow || !strings.Contains(settings, "`"+attribute.Name+"`")
		})
		if len(rows) != 1 {
			t.Errorf("%s is in %d rows", attribute.Name, len(rows))
			continue
		}
		agrees := false
		for says, how := range saysLeftOut {
			agrees = agrees || strings.HasPrefix(rows[0], "| "+says) && how.MatchString(attribute.Description)
		}
		if !agrees {
			t.Errorf("%s is in the row %q, and its description says: %s", attribute.Name, rows[0], attribute.Description)
		}
	}
}
