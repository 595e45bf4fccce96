package stories_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// mistake is a configuration with a mistake of a first hour. The message names the attribute
// (or the address of the object), the value, and what to write or do instead.
type mistake struct {
	config            string
	at, value, remedy string
	// applying is set where only an apply can tell.
	applying bool
}

// mistakeWorld is where the mistakes are made.
type mistakeWorld struct {
	*acctest.BranchWorld
	// main is the default branch, and child one that was created from it.
	main, child string
	// endpoint is the one of main.
	endpoint string
}

func newMistakeWorld(t *testing.T, config emulator.Config) mistakeWorld {
	t.Helper()
	w := acctest.BranchWorldOf(t, config)
	w.MaxRetries = 0
	w.AddMember(t, "bob@example.com", "editor")
	main := w.MainBranch(t).ID
	endpoints, err := client.All(w.API.ListEndpoints(t.Context(), w.Ref(main)))
	if err != nil || len(endpoints) == 0 {
		t.Fatalf("branch %s has the endpoints %v: %v", main, endpoints, err)
	}
	return mistakeWorld{w, main, w.MakeBranch(t, "child").ID, endpoints[0].ID}
}

func (w mistakeWorld) branch(more string) string {
	return fmt.Sprintf("resource \"neon_branch\" \"x\" {\n project_id = %q\n name = \"b\"\n %s\n}\n", w.ProjectID, more)
}

func (w mistakeWorld) inProject(kind, more string) string {
	return resourceBlock(kind, fmt.Sprintf("project_id = %q\n%s", w.ProjectID, more))
}

func (w mistakeWorld) inBranch(kind, branchID, more string) string {
	return w.inProject(kind, fmt.Sprintf("branch_id = %q\n%s", branchID, more))
}

func (w mistakeWorld) inOrg(kind, more string) string {
	return resourceBlock(kind, fmt.Sprintf("org_id = %q\n%s", w.OrgID, more))
}

func (w mistakeWorld) read(kind, more string) string {
	return fmt.Sprintf("data %q \"x\" {\n project_id = %q\n %s\n}\n", kind, w.ProjectID, more)
}

func (w mistakeWorld) uri(more string) string {
	return w.read("neon_connection_uri", fmt.Sprintf("branch_id = %q\n%s", w.main, more))
}

func resourceBlock(kind, body string) string {
	return fmt.Sprintf("resource %q \"x\" {\n %s\n}\n", kind, body)
}

func imported(kind, id, body string) string {
	return fmt.Sprintf("import {\n to = %s.x\n id = %q\n}\n%s", kind, id, resourceBlock(kind, body))
}

func providerBlock(setting string) string {
	return "provider \"neon\" {\n max_retries = 0\n " + setting +
		"\n}\ndata \"neon_branches\" \"b\" { project_id = \"calm-lake-12345678\" }\n"
}

// makes checks the message about each mistake.
func (w mistakeWorld) makes(t *testing.T, mistakes map[string]mistake) {
	t.Helper()
	for name, mistake := range mistakes {
		t.Run(name, func(t *testing.T) {
			refusal := acctest.Refusal{Config: mistake.config, Says: []string{mistake.at, mistake.value, mistake.remedy},
				Command: acctest.Plan}
			if mistake.at == "" || mistake.remedy == "" {
				t.Error("the attribute or the remedy is missing in the table")
			}
			if !strings.HasPrefix(mistake.config, "provider ") {
				refusal.Config = w.ProviderConfig() + mistake.config
			}
			if mistake.applying {
				refusal.Command = nil
			}
			w.Refuses(t, refusal)
		})
	}
}

// What newcomers get wrong: ids, values, names, keys and addresses.
func TestAccMistakes(t *testing.T) {
	t.Parallel()
	w := newMistakeWorld(t, emulator.Config{})
	mistakes := map[string]mistake{}
	for _, of := range []func(mistakeWorld) map[string]mistake{
		mistakenIDs, mistakenImports, mistakenValues, mistakenMoments, mistakenNames, mistakenPeople, mistakenSettings,
		mistakenReads,
	} {
		maps.Copy(mistakes, of(w))
	}
	w.makes(t, mistakes)
}

// What a plan doesn't allow.
func TestAccMistakes_plan(t *testing.T) {
	t.Parallel()
	w := newMistakeWorld(t, emulator.Config{Plan: emulator.PlanFree})
	w.makes(t, mistakenPlans(w))
}
