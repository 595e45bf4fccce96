package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// shortenLists says of the objects in a data source such as neon_branches which attributes are those of neon_branch,
// instead of describing each once more. What that one lacks, or has by another type, stays.
func shortenLists(docs string) error {
	return rewrite(filepath.Join(docs, "data-sources", "*s.md"), func(file string, page []byte) (string, error) {
		list := strings.TrimSuffix(file, ".md")
		for _, ending := range []string{"es", "s"} {
			one, is := strings.CutSuffix(list, ending)
			if !is {
				continue
			}
			single, err := readIfThere(filepath.Join(docs, "data-sources", one+".md"))
			if err != nil {
				return "", err
			}
			if single != "" {
				return shortened(string(page), list, one, single), nil
			}
		}
		return string(page), nil
	})
}

// shortenNested says of the nested attributes in a data source that they are those of the resource of its name, where
// that describes all of them. What that sets at the creation only means something else when it is read, and stays; so
// does a short list.
func shortenNested(docs string) error {
	return rewrite(filepath.Join(docs, "data-sources", "*.md"), func(file string, page []byte) (string, error) {
		resource, err := readIfThere(filepath.Join(docs, "resources", file))
		return nestedShortened(string(page), resource, file), err
	})
}

// rewrite has each page that matches a pattern become what by makes of it and of the name of its file.
func rewrite(pattern string, by func(file string, page []byte) (string, error)) error {
	pages, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, path := range pages {
		page, err := os.ReadFile(path) //nolint:gosec // It is one of our pages.
		if err != nil {
			return err
		}
		text, err := by(filepath.Base(path), page)
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil { //nolint:gosec // The same.
			return err
		}
	}
	return nil
}

// readIfThere reads a page; what isn't there is empty.
func readIfThere(path string) (string, error) {
	page, err := os.ReadFile(path) //nolint:gosec // It is one of our pages.
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(page), err
}

// nestedShortened is the page of a data source, by that of its resource, which has the name of a file.
func nestedShortened(page, resource, file string) string {
	theirs := sections(resource)
	for path, section := range sections(page) {
		section, _, _ = strings.Cut(section, "\n\n## See also")
		ours := described.FindAllStringSubmatch(section, -1)
		of := described.FindAllStringSubmatch(theirs[path], -1)
		if path == "" || len(ours) < 4 || strings.Contains(theirs[path], " at the creation only") {
			continue
		}
		var names []string
		for _, line := range ours {
			if !slices.ContainsFunc(of, func(other []string) bool { return other[1] == line[1] && other[2] == line[2] }) {
				names = nil
				break
			}
			names = append(names, "`"+line[1]+"`")
		}
		if names != nil {
			anchor := strings.ReplaceAll(strings.TrimSuffix(path, "."), ".", "--")
			page = strings.Replace(page, strings.TrimSpace(section), fmt.Sprintf("As in the [resource](../resources/%s#nestedatt--%s): %s.", file, anchor, strings.Join(names, ", ")), 1)
		}
	}
	return page
}

var (
	nestedSchema = regexp.MustCompile("\n+<a id=\"nestedatt--[^\"]*\"></a>\n### Nested Schema for `([^`]+)`\n")
	described    = regexp.MustCompile("(?m)^- `([^`]+)` (\\([^)]*\\)) .*\n?")
)

// shortened is the page of a list, by that of one of its objects.
func shortened(page, list, one, single string) string {
	schema, after, _ := strings.Cut(page, "\n\n## See also")
	types := map[string]string{}
	for name, section := range sections(single) {
		for _, line := range described.FindAllStringSubmatch(section, -1) {
			types[name+line[1]] = line[2]
		}
	}
	var same []string
	found := nestedSchema.FindAllStringSubmatchIndex(schema, -1)
	parts := make([]string, len(found))
	for i, at := range found {
		end := len(schema)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		heading, path, section := schema[at[0]:at[1]], schema[at[2]:at[3]], schema[at[1]:end]
		if path != list && !strings.HasPrefix(path, list+".") {
			return page
		}
		within := strings.TrimPrefix(strings.TrimPrefix(path, list)+".", ".")
		own := described.ReplaceAllStringFunc(section, func(text string) string {
			line := described.FindStringSubmatch(text)
			if types[within+line[1]] != line[2] {
				return text
			}
			if within == "" {
				same = append(same, "`"+line[1]+"`")
			}
			return ""
		})
		switch {
		case path == list && described.MatchString(own):
			parts[i] = heading + "\n@same, and:\n\n" + strings.TrimSpace(strings.Join(described.FindAllString(own, -1), ""))
		case path == list:
			parts[i] = heading + "\n@same."
		case described.MatchString(own):
			parts[i] = heading + section
		}
	}
	if len(same) == 0 {
		return page
	}
	text := schema[:found[0][0]] + strings.TrimRight(strings.Join(parts, ""), "\n") + "\n\n## See also" + after
	return strings.Replace(text, "@same", fmt.Sprintf("As in the data source [`neon_%s`](%s.md): %s", one, one, strings.Join(same, ", ")), 1)
}

// sections are the parts of a page's schema, by the attribute that they are within and a dot, "" for the first.
func sections(page string) map[string]string {
	_, schema, _ := strings.Cut(page, "\n## Schema\n")
	found := nestedSchema.FindAllStringSubmatchIndex(schema, -1)
	parts, begin, name := map[string]string{}, 0, ""
	for _, at := range found {
		parts[name], begin, name = schema[begin:at[0]], at[1], schema[at[2]:at[3]]+"."
	}
	parts[name] = schema[begin:]
	return parts
}
