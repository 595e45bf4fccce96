package walks_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
)

// countRequests has the table of requests in PERFORMANCE.md measured and written anew, by `make requests`.
var countRequests = flag.String("requests", "",
	"count the requests for the nouns that match this `regexp`, and write them into PERFORMANCE.md")

// sideBySide are the lines of many objects of nouns whose file has none of many.
var sideBySide = map[string]string{
	"neon_branch": `project_id = "$project"` + "\n" + `name = "b$n"` + "\n" +
		`endpoints = { primary = { type = "read_write" } }`,
	"neon_project":     `name = "p$n"`,
	"neon_api_key":     `name = "k$n"`,
	"neon_org_api_key": `name = "k$n"`,
}

// mostByTerraform is how many are counted with terraform's program, which writes the whole state after each: thousands
// take it an hour. More are counted in process, by the same requests of the provider.
const mostByTerraform = 200

// counted are numbers of branches, and of any other noun.
var (
	counted  = []int{1, 3, 10, mostByTerraform, 1000, 3000, 5000}
	ofOthers = []int{20}
)

// PERFORMANCE.md says for each noun of which there can be many how many requests it takes, as they were counted.
func TestRequestsByRoute(t *testing.T) {
	t.Parallel()
	nouns := maps.Clone(sideBySide)
	for name, resource := range acctest.NounResources(t) {
		if len(resource.Several) > 0 && resource.Few == "" {
			nouns[name] = resource.Several.String()
		}
	}
	path := filepath.Join(acctest.RepositoryDir, "PERFORMANCE.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- requests -->\n", "<!-- end of requests -->\n"
	before, rest, found := strings.Cut(string(page), begin)
	table, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("the page has no place between %s and %s", begin, end)
	}
	if *countRequests != "" { // It takes minutes: the page is not to be edited meanwhile.
		only, known := regexp.MustCompile(*countRequests), table
		table = "| objects | apply | plan | destroy |\n|---|---|---|---|\n"
		for _, name := range slices.Sorted(maps.Keys(nouns)) {
			counts := ofOthers
			if name == "neon_branch" {
				counts = counted
			}
			for _, count := range counts {
				objects := fmt.Sprintf("| %d %#q |", count, name)
				if _, row, isKnown := strings.Cut(known, objects); isKnown && !only.MatchString(objects) {
					row, _, _ = strings.Cut(row, "\n")
					table += objects + row + "\n"
					continue
				}
				table += objects + requestsOf(t, name, nouns[name], count) + "\n"
			}
		}
		if err := os.WriteFile(path, []byte(before+begin+table+end+after), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name := range nouns {
		if !strings.Contains(table, " `"+name+"` | ") {
			t.Errorf("the table of requests has no row for %s: make requests", name)
		}
	}
}

// requestsOf creates so many objects, plans and destroys them, and returns the cells with the requests of each.
func requestsOf(t *testing.T, name, lines string, count int) (row string) {
	t.Helper()
	w, config, texts := manyWorld(t, min(count, ofOthers[0]))
	resource := fmt.Sprintf("resource %q \"test\" {\n count = %d\n %s\n}\n", name, count, texts.Replace(lines))
	write := func() {
		sent := w.Requests(t)
		routes := []string{}
		for route, times := range sent.ByRoute {
			routes = append(routes, fmt.Sprintf("%5d %#q", times,
				strings.NewReplacer("/api/v2", "", "/projects/{project_id}/", "…/").Replace(route)))
		}
		slices.Sort(routes)
		slices.Reverse(routes)
		for i := range routes {
			routes[i] = strings.TrimSpace(routes[i])
		}
		row += fmt.Sprintf(" **%d**: %s |", sent.Total, strings.Join(routes, ", "))
		w.ForgetRequests(t)
	}
	w.ForgetRequests(t)
	if count > mostByTerraform {
		config = w.ProviderConfigWith(w.APIKey, "requests_per_minute = 60000")
		if err := inprocess.RunAll(t.Context(), w.Factories()["neon"], config+resource, write); err != nil {
			t.Fatal(err)
		}
	} else {
		r := acctest.NewRun(t, w.World, config+resource)
		for _, command := range [][]string{{"apply", "-auto-approve"}, {"plan", "-detailed-exitcode"},
			{"destroy", "-auto-approve"}} {
			r.Terraform(t, command...)
			write()
		}
	}
	t.Log(name, row)
	return row
}
