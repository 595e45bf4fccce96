package docs

import (
	"os"
	pathpkg "path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// README and the landing page lead to each guide, and README to each folder of reference pages.
func TestFrontPagesLeadEverywhere(t *testing.T) {
	t.Parallel()
	readme, index := read(t, "README.md"), read(t, "docs/index.md")
	for _, path := range files(t, "docs", ".md") {
		page, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		page = filepath.ToSlash(page)
		guide, isGuide := strings.CutPrefix(page, "docs/guides/")
		if isGuide && !strings.Contains(index, "](guides/"+guide+")") {
			t.Errorf("docs/index.md has no link to %s", guide)
		}
		if !isGuide && page != "docs/index.md" {
			page = pathpkg.Dir(page)
		}
		if !strings.Contains(readme, "]("+page+")") {
			t.Errorf("README has no link to %s", page)
		}
	}
}

// README shows the example that it copies.
func TestReadmeShowsTheExample(t *testing.T) {
	t.Parallel()
	if !strings.Contains(read(t, "README.md"), "```terraform\n"+read(t, "examples/shop/main.tf")+"```\n") {
		t.Error("README doesn't show examples/shop/main.tf")
	}
}

// The comparison in README is the one that was measured.
func TestReadmeHasTheMeasuredComparison(t *testing.T) {
	t.Parallel()
	readme := read(t, "README.md")
	_, measured, _ := strings.Cut(read(t, "PERFORMANCE.md"), "\n## Beside other providers\n")
	rows := regexp.MustCompile(`(?m)^\| [^|]+ \| ([^|]+/neon[^|]*) \| ([\d.]+ s) \| [^|]+ \| (\d+) \| (\d+) \|`).FindAllStringSubmatch(measured, -1)
	if len(rows) < 6 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		for _, figure := range []string{row[2], thousands(row[3]) + " requests"} {
			if !strings.Contains(readme, figure) {
				t.Errorf("README doesn't have %q, which PERFORMANCE.md has for %s", figure, row[1])
			}
		}
		if row[4] != "0" && !strings.Contains(readme, thousands(row[4])+" are refused") {
			t.Errorf("README doesn't say that %s requests are refused", row[4])
		}
	}
}

// The guide's comparison says that this provider has what it has, and no more.
func TestComparisonIsCurrent(t *testing.T) {
	t.Parallel()
	guide := read(t, "templates/guides/moving-from-another-provider.md.tmpl")
	for row, resource := range map[string]string{
		"Snapshots": "snapshot", "Data API": "data_api", "Neon Auth": "auth", "Anonymized branches": "anonymized_branch",
		"Buckets, service credentials": "bucket", "Functions, triggers, custom domains": "function",
	} {
		has := "no"
		if _, err := os.Stat(filepath.Join(root, "docs", "resources", resource+".md")); err == nil {
			has = "yes"
		}
		if !strings.Contains(guide, "\n| "+row+" | "+has+" |") {
			t.Errorf("the row %q of what each provider has should say %q of this one", row, has)
		}
	}
}

// thousands has a comma before the last three digits.
func thousands(number string) string {
	if len(number) <= 3 {
		return number
	}
	return number[:len(number)-3] + "," + number[len(number)-3:]
}
