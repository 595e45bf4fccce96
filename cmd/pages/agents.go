package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// writeForAgents writes AGENTS.md and llms.txt to a folder, from the rendered pages.
func writeForAgents(docs, folder string) error {
	index, err := llms(docs)
	if err != nil {
		return err
	}
	release, err := os.ReadFile("templates/partials/release")
	if err != nil {
		return err
	}
	text, err := included("templates/partials/agents.tmpl",
		map[string]string{"release": strings.TrimSpace(string(release))})
	if err != nil {
		return err
	}
	made, err := agents(text, docs)
	return errors.Join(err, os.MkdirAll(folder, 0o750), //nolint:gosec // The folder is what make asks for.
		os.WriteFile(filepath.Join(folder, "AGENTS.md"), []byte(made), 0o644), os.WriteFile(filepath.Join(folder, "llms.txt"), []byte(index), 0o644)) //nolint:gosec // The same.
}

// page is what the front matter of a rendered page says.
type page struct{ title, description string }

var frontMatter = regexp.MustCompile(`(?s)^---\n.*?page_title: "(.*?)"\n.*?description: \|-\n(.*?)\n---\n`)

func readPage(path string) (page, error) {
	text, err := os.ReadFile(path) //nolint:gosec // It is one of our pages.
	if err != nil {
		return page{}, err
	}
	found := frontMatter.FindStringSubmatch(string(text))
	if found == nil {
		return page{}, fmt.Errorf("%s: no title and description", path)
	}
	return page{found[1], strings.Join(strings.Fields(found[2]), " ")}, nil
}

// llms is an index of the pages, in the form of https://llmstxt.org: a title, a summary, and lists of links with a line
// each.
func llms(docs string) (string, error) {
	start, err := readPage(filepath.Join(docs, "index.md"))
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("# %s\n\n> %s\n\nThe provider's source is `seed-a7382548/neon`. [AGENTS.md](AGENTS.md) has "+
		"configurations that work, and rules. [docs/index.md](docs/index.md) describes the provider block.\n", start.title,
		start.description)
	for _, section := range slices.Concat([]kind{{folder: "guides", many: "guides"}}, kinds) {
		text += "\n## " + capitalized(section.many) + "\n\n"
		files, err := filepath.Glob(filepath.Join(docs, section.folder, "*.md"))
		if err != nil {
			return "", err
		}
		for _, file := range files {
			page, err := readPage(file)
			if err != nil {
				return "", err
			}
			if section.folder != "guides" { // "neon_branch Resource - Neon"
				page.title, _, _ = strings.Cut(page.title, " ")
			}
			text += fmt.Sprintf("- [%s](docs/%s/%s): %s\n", page.title, section.folder, filepath.Base(file), page.description)
		}
	}
	return text, nil
}

func capitalized(text string) string { return string(unicode.ToUpper(rune(text[0]))) + text[1:] }

// fromPages are the lines of the template that stand for an example, which a test applies; for the rows of a table of
// the guide to moving; and for the attributes of resources whose change replaces them.
var fromPages = regexp.MustCompile(`(?m)^@(example|rows|replaces) (.+)\n`)

func agents(template, docs string) (string, error) {
	var problem error
	text := fromPages.ReplaceAllStringFunc(template, func(line string) string {
		found := fromPages.FindStringSubmatch(line)
		makers := map[string]func(docs, what string) (string, error){
			"example": example, "rows": rows, "replaces": replaces,
		}
		made, err := makers[found[1]](docs, found[2])
		problem = errors.Join(problem, err)
		return made
	})
	return text, problem
}

// example is a file of examples/ without what the first one says of the provider's source, and the test that applies
// it.
func example(_, what string) (string, error) {
	file, test, _ := strings.Cut(what, " ")
	text, err := os.ReadFile(filepath.Join("examples", filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	shown := string(text)
	if file != "provider/provider.tf" {
		_, shown, _ = strings.Cut(shown, "\n}\n\n")
	}
	return fmt.Sprintf("```terraform\n%s```\n\nFrom [`examples/%[2]s`](examples/%[2]s), which `%[3]s` applies.\n", shown,
		file, test), nil
}

// unchanged is a row about what is the same here.
var unchanged = regexp.MustCompile(`(?m)^.*\| the same \|$\n?`)

// rows is the table below a heading of the guide, with links from the root, and without what is the same here.
func rows(docs, heading string) (string, error) {
	const path = "guides/moving-from-another-provider.md"
	text, err := os.ReadFile(filepath.Join(docs, path)) //nolint:gosec // It is one of our pages.
	if err != nil {
		return "", err
	}
	_, section, _ := strings.Cut(string(text), "\n### "+heading+"\n")
	_, table, isTable := strings.Cut(section, "\n| There | Here |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if !isTable {
		return "", fmt.Errorf("%s: no table below %q", path, heading)
	}
	table = strings.NewReplacer("](../", "](docs/", "](#", "](docs/"+path+"#").Replace(table)
	return "| " + strings.TrimPrefix(heading, "From ") + " | Here |\n|---|---|\n" + unchanged.ReplaceAllString(table, "") +
		"\n", nil
}

var (
	attribute = regexp.MustCompile("(?m)^- `([a-z_]+)` \\(.*$")
	replacing = regexp.MustCompile(`(Changing (it|this|a configured value)|Any change) replaces`)
)

// replaces lists, for each resource, its attributes whose description says that a change replaces it.
func replaces(docs, resources string) (string, error) {
	var text strings.Builder
	for name := range strings.FieldsSeq(resources) {
		path := filepath.Join(docs, "resources", strings.TrimPrefix(name, "neon_")+".md")
		page, err := os.ReadFile(path) //nolint:gosec // It is one of our pages.
		if err != nil {
			return "", err
		}
		_, schema, _ := strings.Cut(string(page), "\n## Schema\n")
		schema, _, _ = strings.Cut(schema, "\n### Nested Schema")
		var found []string
		for _, line := range attribute.FindAllStringSubmatch(schema, -1) {
			if replacing.MatchString(line[0]) {
				found = append(found, "`"+line[1]+"`")
			}
		}
		if len(found) == 0 {
			return "", fmt.Errorf("%s: no attribute replaces", path)
		}
		slices.Sort(found)
		fmt.Fprintf(&text, "  - `%s`: %s\n", name, strings.Join(found, ", "))
	}
	return text.String(), nil
}
