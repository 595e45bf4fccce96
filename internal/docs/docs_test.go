package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

var (
	// linkTarget is where a link of Markdown leads.
	linkTarget = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	codeBlock  = regexp.MustCompile("(?s)```.*?\n```")
	heading    = regexp.MustCompile(`(?m)^#+ (.+)$`)
	// quoted is the first column of a table row, where that is code.
	quoted = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	// pathInCode is one from the repository's root that stands as code.
	pathInCode  = regexp.MustCompile("`((?:cmd|docs|examples|internal|templates|tools)/[a-zA-Z0-9_./-]*)`")
	fileInCode  = regexp.MustCompile("`([a-z_]+\\.go)`")
	notAnAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)
)

// pages are all files of Markdown, with their text.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == ".cache" || entry.Name() == ".git" || entry.Name() == "node_modules" ||
			entry.Name() == "dist"):
			return filepath.SkipDir
		case filepath.Ext(path) == ".md":
			text, err := os.ReadFile(path)
			found[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 20 {
		t.Fatalf("%d pages", len(found))
	}
	return found
}

// anchors are those that a page's headings have.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
		anchor := notAnAnchor.ReplaceAllString(strings.ToLower(match[1]), "")
		found[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	return found
}

func TestLinks(t *testing.T) {
	t.Parallel()
	ownFile := regexp.MustCompile(`^https://github\.com/seed-a7382548/terraform-provider-neon/(?:blob|tree)/[^/]+/([^#]+)`)
	all := pages(t)
	links := 0
	for path, text := range all {
		for _, match := range linkTarget.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
			if own := ownFile.FindStringSubmatch(match[1]); own != nil {
				if _, err := os.Stat(filepath.Join(root, own[1])); err != nil {
					t.Errorf("%s: %s isn't in the repository", path, own[1])
				}
			}
			if strings.Contains(match[1], "://") || strings.HasPrefix(match[1], "mailto:") {
				continue
			}
			links++
			file, anchor, _ := strings.Cut(match[1], "#")
			target := path
			if file != "" {
				target = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere", path, match[1])
			} else if anchor != "" && strings.HasSuffix(target, ".md") && !anchors(all[target])[anchor] {
				// What the documentation is generated from has anchors of its own.
				if !strings.Contains(all[target], `id="`+anchor+`"`) && !strings.Contains(all[target], `name="`+anchor+`"`) &&
					!strings.HasPrefix(anchor, "nested") {
					t.Errorf("%s: %s has no such heading", path, match[1])
				}
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links", links)
	}
}

// What a paragraph announces with a colon at its end follows: a block, a list, a table or a note.
func TestPages_announceWhatFollows(t *testing.T) {
	t.Parallel()
	announced := regexp.MustCompile("(?m)^[^|\n]*[^|\\s]:\n\n+(.*)$")
	follows := regexp.MustCompile("^(```|[-*|>!]|\\d+\\.|\\[)")
	for path, text := range pages(t) {
		for _, match := range announced.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, "```\n"), -1) {
			if !follows.MatchString(match[1]) {
				t.Errorf("%s: nothing follows %q", path, strings.TrimSpace(match[0]))
			}
		}
	}
}

// What CONTRIBUTING says of the code is where it says.
func TestContributingNamesPaths(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	paths := pathInCode.FindAllStringSubmatch(string(text), -1)
	if len(paths) < 20 {
		t.Errorf("%d paths", len(paths))
	}
	for _, name := range fileInCode.FindAllStringSubmatch(string(text), -1) {
		var found []string
		for _, folder := range []string{"", "internal/*", "internal/provider/*"} {
			files, _ := filepath.Glob(filepath.Join(root, folder, name[1]))
			found = append(found, files...)
		}
		if found == nil {
			t.Errorf("there is no %s", name[1])
		}
	}
	for _, path := range paths {
		if _, err := os.Stat(filepath.Join(root, path[1])); err != nil {
			t.Errorf("there is no %s", path[1])
		}
	}
}

// Every page of the documentation shows how to use what it is about, and every
// resource how it is imported, or that it can't be.
func TestPagesHaveExamples(t *testing.T) {
	t.Parallel()
	for path, text := range pages(t) {
		relative, _ := filepath.Rel(filepath.Join(root, "docs"), path)
		switch folder := filepath.Dir(relative); folder {
		case "resources", "data-sources", "ephemeral-resources", "functions", "actions", "guides":
			if !strings.Contains(text, "```terraform") && folder != "guides" {
				t.Errorf("%s has no example", relative)
			}
			if folder == "resources" && !strings.Contains(text, "## Import") {
				t.Errorf("%s doesn't speak of imports", relative)
			}
		}
	}
}

// The errors that the guide quotes are in the code as they are quoted.
func TestTroubleshootingQuotesErrors(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(root, "docs", "guides", "troubleshooting.md"))
	if err != nil {
		t.Fatal(err)
	}
	var code strings.Builder
	for _, folder := range []string{"client", "provider", "provider/*", "sqlscript"} {
		files, err := filepath.Glob(filepath.Join(root, "internal", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code.Write(text)
		}
	}
	// Long texts are written in several parts.
	joined := regexp.MustCompile(`"\s*\+\s*"`).ReplaceAllString(code.String(), "")
	rows := quoted.FindAllStringSubmatch(string(guide), -1)
	if len(rows) < 15 {
		t.Errorf("the guide quotes %d errors", len(rows))
	}
	for _, row := range rows {
		if !strings.Contains(joined, row[1]) {
			t.Errorf("no error says %q", row[1])
		}
	}
}
