package docs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what a test would have")

// served are the pages that the schema generates, by their paths below docs.
func served(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for path, text := range pages(t) {
		relative, err := filepath.Rel(filepath.Join(root, "docs"), path)
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Dir(relative) {
		case "resources", "data-sources", "ephemeral-resources", "list-resources", "functions", "actions":
			found[relative] = text
		}
	}
	if len(found) < 85 {
		t.Fatalf("%d pages", len(found))
	}
	return found
}

func TestPagesHaveSubcategories(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile(`(?m)^subcategory: "(.*)"$`)
	links, err := os.ReadFile(filepath.Join(root, "templates", "see-also.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range served(t) {
		match := line.FindStringSubmatch(text)
		if len(match) < 2 || match[1] == "" || !strings.Contains(string(links), "\n# "+match[1]+"\n") {
			t.Errorf("%s: the subcategory is %q; noun.hcl in the folder of its noun puts it into a group that templates/see-also.txt has links for", path, match)
		}
	}
}

// What a page says a data source returns, one does.
func TestPagesNameDataSources(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("data source `neon_(\\w+)`")
	for path, text := range served(t) {
		for _, name := range named.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(root, "docs", "data-sources", name[1]+".md")); err != nil {
				t.Errorf("%s names a data source neon_%s, which isn't served", path, name[1])
			}
		}
	}
}

// constraint is the version that a configuration should ask for: that of the newest release,
// or of the first one.
func constraint(t *testing.T) string {
	t.Helper()
	notes, err := filepath.Glob(filepath.Join(root, ".changes", "v*.md"))
	if err != nil {
		t.Fatal(err)
	}
	newest := [2]int{0, 1}
	for _, file := range notes {
		var release [2]int
		if _, err := fmt.Sscanf(filepath.Base(file), "v%d.%d.", &release[0], &release[1]); err != nil {
			t.Fatal(err)
		}
		newest = slices.MaxFunc([][2]int{newest, release}, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	}
	return fmt.Sprintf("~> %d.%d", newest[0], newest[1])
}

// required matches the provider in a required_providers block, with its version.
var required = regexp.MustCompile(`(source\s*=\s*"seed-a7382548/neon")(?:(,?\s+version\s*=\s*)"([^"]*)")?`)

// Whoever copies a configuration gets the newest release, and no later one that may break it.
// `go test ./internal/docs -run Version -update` writes the version of a new release.
func TestConfigurationsNameTheVersion(t *testing.T) {
	t.Parallel()
	want, found := constraint(t), 0
	for _, path := range slices.Concat(files(t, "examples", ".tf"), files(t, "templates", ".tmpl"),
		[]string{filepath.Join(root, "README.md")}) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range required.FindAllStringSubmatch(string(text), -1) {
			found++
			if match[3] != want && !*update {
				t.Errorf("%s: the version is %q, want %q", path, match[3], want)
			}
		}
		if *update {
			text = required.ReplaceAll(text, []byte(`$1$2"`+want+`"`))
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if found < 80 {
		t.Errorf("%d configurations", found)
	}
}

// files are those below a folder that end in an extension.
func files(t *testing.T, folder, extension string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(filepath.Join(root, folder), func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, extension) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The first example of a page begins with what the page is about. The block that says where the provider comes from is
// on the first page of all; examples of functions have it, too. The further ones show only their own blocks, each below
// a heading that says when to use it.
func TestExamplesBeginWithWhatThePageIsAbout(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?s)```terraform\n(.*?)\n```")
	for path, text := range served(t) {
		page, _, _ := strings.Cut(text, "\n## Schema")
		blocks := block.FindAllStringSubmatch(page, -1)
		isWhole := strings.HasPrefix(path, "functions")
		times := strings.Count(page, "required_providers {")
		switch {
		case isWhole && times != 1, !isWhole && times != 0:
			t.Errorf("%s says %d times where the provider comes from", path, times)
		case !isWhole && !strings.HasPrefix(path, "list-resources") &&
			(len(blocks) == 0 || strings.HasPrefix(blocks[0][1], "variable ") || strings.HasPrefix(blocks[0][1], "terraform ")):
			t.Errorf("%s: the first example doesn't begin with what the page is about", path)
		}
		_, usage, _ := strings.Cut(page, "\n## Example Usage\n")
		usage, _, _ = strings.Cut(usage, "\n## ")
		further, headings := strings.Count(usage, "```terraform\n"),
			strings.Count(codeBlock.ReplaceAllString(usage, ""), "\n### ")
		if !strings.HasPrefix(path, "list-resources") && further != headings+1 {
			t.Errorf("%s: %d examples have %d headings", path, further, headings)
		}
	}
}

// A page shows the last line that is about its example of what that prints, and each file that its configurations name.
func TestPagesShowSamplesAndFiles(t *testing.T) {
	t.Parallel()
	all := served(t)
	samples := append(files(t, "examples", "output.txt"), files(t, "examples", "console.txt")...)
	if len(samples) < 35 {
		t.Errorf("%d samples", len(samples))
	}
	for _, path := range samples {
		folder := filepath.Dir(path)
		page := filepath.Join(filepath.Base(filepath.Dir(folder)), strings.TrimPrefix(filepath.Base(folder), "neon_")+".md")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		shown, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\nAction complete: ")
		if !strings.Contains(all[page], shown[strings.LastIndex(shown, "\n")+1:]+"\n```") {
			t.Errorf("%s doesn't show %s", page, path)
		}
	}
	named, shown := regexp.MustCompile(`[a-z_]+\.sql\b`), regexp.MustCompile("`([a-z_]+\\.sql)`[^`]*\n\n```sql")
	for path, text := range all {
		for _, file := range named.FindAllString(text, -1) {
			if !slices.ContainsFunc(shown.FindAllStringSubmatch(text, -1),
				func(match []string) bool { return match[1] == file }) {
				t.Errorf("%s names %s, and doesn't show it", path, file)
			}
		}
	}
}

// Each page ends with a few links, each with a word why, one of them to what Neon writes about it, or to the page of
// its resource, which has that.
func TestPagesLeadOn(t *testing.T) {
	t.Parallel()
	all := served(t)
	for path, text := range all {
		_, further, found := strings.Cut(text, "\n## See also\n\n")
		links := strings.Split(strings.TrimSpace(further), "\n")
		isOfResource := !strings.HasPrefix(path, "resources") && strings.HasPrefix(further, "- [`neon_") &&
			strings.Contains(further, "](../resources/"+strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".md"),
				"s")+".md)")
		if !found || !isOfResource && !strings.Contains(further, "](https://neon.com/docs/") || len(links) > 5 {
			t.Errorf("%s leads on to %d pages; want at most five, one of them its resource's or of Neon's documentation", path,
				len(links))
		}
		for _, link := range links {
			if !describedLink.MatchString(link) {
				t.Errorf("%s has a link without a word why: %s", path, link)
			}
		}
		if strings.Contains(further, "](../"+filepath.ToSlash(path)+")") {
			t.Errorf("%s leads to itself", path)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "templates", "see-also.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range regexp.MustCompile(`(?m)^# ([a-z-]+/\w+)$`).FindAllStringSubmatch(string(text), -1) {
		if _, is := all[filepath.FromSlash(page[1]+".md")]; !is {
			t.Errorf("templates/see-also.txt has links for %s, and there is no such page", page[1])
		}
	}
}

// describedLink is "[what](where): why", "[what](where) of something" or "[what](where), by Neon".
var describedLink = regexp.MustCompile(`^- \[.+\]\(.+\)( \(.+\))?(:|,? of|, by) \S`)

// Where data can be lost, the page says how to guard it; where objects are nested, that a misspelt setting has no
// effect.
func TestPagesWarn(t *testing.T) {
	t.Parallel()
	all := served(t)
	for section, names := range map[string][]string{
		"Protection against deletion": {"branch", "database", "project", "role", "snapshot", "vpc_endpoint_assignment"},
		"Misspelt attributes":         {"branch", "project"},
	} {
		for _, name := range names {
			if !strings.Contains(all["resources/"+name+".md"], "\n## "+section+"\n") {
				t.Errorf("the page of neon_%s has no section %q", name, section)
			}
		}
	}
}
