package walks_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// What descriptions of neon_project say of a setting that is left out, by how the row of the table
// of its page begins. The first that a description says is the setting's kind.
var saysLeftOut = []struct {
	row  string
	says *regexp.Regexp
}{
	{"it keeps its value; `false` is an error once it is on", regexp.MustCompile("Switching it off is an error.*Keeps its value when removed")},
	{"it keeps its value, whoever set it", regexp.MustCompile("Keeps its value when removed|the project stays where it is|What isn't configured here can be managed by")},
	{"it keeps its value; another configured value", regexp.MustCompile("configured value replaces the project")},
	{"it stays as it is if an apply never had it", regexp.MustCompile("Stays as it is if it was never configured|never had it keeps")},
	{"it is switched off", regexp.MustCompile("All may if you omit it|`false` if you omit it|omitted sets no limit")},
	{"it has its default", regexp.MustCompile("only affects this resource.*Defaults to|How long to wait")},
}

// The table of neon_project's page has each setting once, in the row that its description agrees
// with.
func TestProject_tableOfWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(acctest.RepositoryDir, "templates", "resources", "project.md.tmpl"))
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
		kind := ""
		for _, each := range saysLeftOut {
			if kind == "" && each.says.MatchString(attribute.Description) {
				kind = each.row
			}
		}
		if kind == "" || !strings.HasPrefix(rows[0], "| "+kind) {
			t.Errorf("%s is in the row %q, and its description says: %s", attribute.Name, rows[0], attribute.Description)
		}
	}
}
