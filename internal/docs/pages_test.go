package docs

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
	links, err := os.ReadFile(filepath.Join(root, "templates", "partials", "see-also.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range served(t) {
		match := line.FindStringSubmatch(text)
		if len(match) < 2 || match[1] == "" || !strings.Contains(string(links), strconv.Quote(match[1])) {
			t.Errorf("%s: the subcategory is %q; noun.hcl in the folder of its noun puts it into a group that see-also.tmpl has links for", path, match)
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
	for _, path := range slices.Concat(files(t, "examples", ".tf"), files(t, "templates", ".tmpl"), []string{filepath.Join(root, "README.md")}) {
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

// The first example of a page begins with what the page is about, and leads to the block that says where the provider comes
// from; those of lists and functions have it. The further ones show only their own blocks, each below a heading that says when to use it.
func TestExamplesBeginWithWhatThePageIsAbout(t *testing.T) {
	t.Parallel()
	block := regexp.MustCompile("(?s)```terraform\n(.*?)\n```")
	for path, text := range served(t) {
		page, _, _ := strings.Cut(text, "\n## Schema")
		blocks := block.FindAllStringSubmatch(page, -1)
		isWhole := strings.HasPrefix(path, "list-resources") || strings.HasPrefix(path, "functions")
		times := strings.Count(page, "required_providers {")
		switch {
		case isWhole && times != 1, !isWhole && times != 0:
			t.Errorf("%s says %d times where the provider comes from", path, times)
		case !isWhole && (len(blocks) == 0 || strings.HasPrefix(blocks[0][1], "variable ") || strings.HasPrefix(blocks[0][1], "terraform ")):
			t.Errorf("%s: the first example doesn't begin with what the page is about", path)
		case !isWhole && !strings.Contains(page, "[`terraform` block](../index.md#a-database-in-a-minute)"):
			t.Errorf("%s doesn't lead to the terraform block", path)
		}
		_, usage, _ := strings.Cut(page, "\n## Example Usage\n")
		usage, _, _ = strings.Cut(usage, "\n## ")
		further, headings := strings.Count(usage, "```terraform\n"), strings.Count(codeBlock.ReplaceAllString(usage, ""), "\n### ")
		if !strings.HasPrefix(path, "list-resources") && further != headings+1 {
			t.Errorf("%s: %d examples have %d headings", path, further, headings)
		}
	}
}

// What a page shows as output is on it, and each file that its configurations name.
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
		if !strings.Contains(all[page], strings.TrimSpace(string(text))) {
			t.Errorf("%s doesn't show %s", page, path)
		}
	}
	named, shown := regexp.MustCompile(`[a-z_]+\.sql\b`), regexp.MustCompile("`([a-z_]+\\.sql)`[^`]*\n\n```sql")
	for path, text := range all {
		for _, file := range named.FindAllString(text, -1) {
			if !slices.ContainsFunc(shown.FindAllStringSubmatch(text, -1), func(match []string) bool { return match[1] == file }) {
				t.Errorf("%s names %s, and doesn't show it", path, file)
			}
		}
	}
}

// Each page leads to the others of its group, and to what Neon writes about it.
func TestPagesLeadOn(t *testing.T) {
	t.Parallel()
	all := served(t)
	led := map[string]bool{}
	for path, text := range all {
		_, further, found := strings.Cut(text, "\n## See also\n")
		if !found || !strings.Contains(further, "](https://neon.com/docs/") {
			t.Errorf("%s doesn't lead to Neon's documentation", path)
		}
		for _, link := range linkTarget.FindAllStringSubmatch(further, -1) {
			led[strings.TrimPrefix(link[1], "../")] = true
		}
		if strings.Contains(further, "](../"+filepath.ToSlash(path)+")") {
			t.Errorf("%s leads to itself", path)
		}
	}
	for path := range all {
		if !led[filepath.ToSlash(path)] {
			t.Errorf("%s isn't among the pages that others lead to: noun.hcl in the folder of its noun lacks it", path)
		}
	}
}

// Where data can be lost, the page says how to guard it; where computes are configured, what
// they cost, and that a misspelt setting has no effect.
func TestPagesWarn(t *testing.T) {
	t.Parallel()
	all := served(t)
	for section, names := range map[string][]string{
		"Protection against deletion": {"branch", "database", "project", "role", "snapshot", "vpc_endpoint_assignment"},
		"What a compute costs":        {"branch", "endpoint", "project"},
		"Misspelt attributes":         {"branch", "project"},
	} {
		for _, name := range names {
			if !strings.Contains(all["resources/"+name+".md"], "\n## "+section+"\n") {
				t.Errorf("the page of neon_%s has no section %q", name, section)
			}
		}
	}
}

// riddles are words that readers stop at, with plainer ones.
var riddles = map[string]string{
	`asks? for`: "needs", `gives`: "returns", `gave`: "returned", `takes over`: "replaces", `went`: "left", `lets go`: "stops managing",
	`(is|are) made`: "is created", `made by`: "created by", `taken in`: "adopted", `the platform`: "Neon", `knows nothing`: "doesn't know",
	`(was|were|been) made`: "was created", `[Nn](ull|one) where`: "null if", `[Ii]t takes [a-z]+ requests?`: "sends ... requests",
	`shows no change`: "doesn't show up in the next plan", `(branch|Branches) of the branch`: "child branches", `comes into`: "is created in",
	`[Hh]as Neon (choose|take)`: "makes Neon choose", `It takes Terraform`: "Needs Terraform", `die`: "are revoked", `sent you`: "referred you",
}

// riddlesAnywhere are those that no page has, neither a guide nor README.
var riddlesAnywhere = map[string]string{
	`[Hh]eld against`: "compared with, tested against", `decided without a source`: "guessed", `the platform's`: "Neon's",
	`accounts for every`: "checks every", `is for import by`: "can be imported by", `does as well as`: "also works",
	`[Hh](as|ave) Neon [a-z]\w*`: "makes Neon ...", `knows nothing`: "doesn't know", `[Nn]eutral value`: "switched off", `[Ll]eft out or removed`: "if you omit it",
	`planned anew`: "created again by the next apply", `anew`: "again", `shows? no change by it`: "doesn't show up in the next plan",
	`(plan|Plan) shows a change by`: "doesn't show up in a plan", `sent again blindly`: "retried", `taken in`: "taken over",
	`(Actions|That|It|it) takes? Terraform`: "needs Terraform", `does no harm|do no harm`: "is limited to", `in place of the reader`: "for",
	`is a warning that names`: "a warning names it", `lines of shell`: "shell commands", `Beside the house`: "Other folders",
	`finding is mended`: "fix findings", `What is only set`: "Settings", `In a folder that had an earlier`: "used an earlier build", `outside of? Terraform are left alone`: "Terraform ignores",
	`[Nn]ull values count as absent`: "a null value counts as not set", `What is null has`: "null means", `as other roles aren't there`: "because other roles don't exist",
	`stands here as you type`: "is shown as you type it", `without it, it keeps`: "keeps its value when removed", `[Oo]nce at most`: "at most one",
	`it is no difference`: "it makes no difference", `or left out, means`: "or omitted", `is warned of`: "the plan warns of it",
	`is refused by the plan`: "the plan refuses it", `and so is its removal`: "and so is removing it", `[Tt]hose that aren't configured`: "what isn't configured",
	`[Ww]hoever (adds|lets|may)`: "if you add", `Moment (in|of|to)`: "time in", `Where that must not be`: "to avoid that",
}

// What the reference pages say is understood at first sight, and so is what any page says.
func TestPagesAreInPlainWords(t *testing.T) {
	t.Parallel()
	for path, text := range served(t) {
		plain(t, path, text, riddles)
	}
	for path, text := range pages(t) {
		if relative, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(relative, "internal") && !strings.HasPrefix(relative, "tools") {
			plain(t, relative, text, riddlesAnywhere)
		}
	}
	for _, path := range slices.Concat(files(t, "examples", ".tf"), files(t, "examples", ".hcl"), files(t, "examples", ".txt"), files(t, "templates", ".tmpl")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain(t, path, string(text), riddlesAnywhere)
	}
}

func plain(t *testing.T, path, text string, riddles map[string]string) {
	t.Helper()
	words := regexp.MustCompile(`\b(` + strings.Join(slices.Collect(maps.Keys(riddles)), "|") + `)\b`)
	for _, at := range words.FindAllStringIndex(text, -1) {
		found := text[at[0]:at[1]]
		for written, plainer := range riddles {
			if regexp.MustCompile("^(" + written + ")$").MatchString(found) {
				t.Errorf("%s, line %d: %q (plainer: %s)", path, strings.Count(text[:at[0]], "\n")+1, found, plainer)
			}
		}
	}
}

// wordsOutsideOfCode counts what a reader reads.
func wordsOutsideOfCode(text string) int {
	return len(strings.Fields(codeBlock.ReplaceAllString(text, "")))
}

// The first pages are short: the landing page has 700 words before the schema, README two screens before the
// details.
func TestFrontPagesAreShort(t *testing.T) {
	t.Parallel()
	index, _, _ := strings.Cut(read(t, "docs/index.md"), "\n## Schema")
	_, index, _ = strings.Cut(index, "\n---\n")
	if words := wordsOutsideOfCode(index); words > 700 {
		t.Errorf("docs/index.md has %d words before the schema", words)
	}
	if times := strings.Count(index, "required_providers {"); times != 1 {
		t.Errorf("docs/index.md says %d times where the provider comes from", times)
	}
	front, _, _ := strings.Cut(read(t, "README.md"), "\n## How it is tested")
	if lines := strings.Count(front, "\n"); lines > 120 {
		t.Errorf("README has %d lines before how it is tested", lines)
	}
}
