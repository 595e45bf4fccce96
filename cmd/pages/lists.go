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
// the data source or else the resource, instead of describing each once more. What that one lacks, or has by another
// type, stays.
func shortenLists(docs string) error {
	return rewrite(filepath.Join(docs, "data-sources", "*s.md"), func(file string, page []byte) (string, error) {
		list := strings.TrimSuffix(file, ".md")
		for _, ending := range []string{"es", "s"} {
			one, is := strings.CutSuffix(list, ending)
			if !is {
				continue
			}
			single, err := readIfThere(filepath.Join(docs, "data-sources", one+".md"))
			resource, err2 := readIfThere(filepath.Join(docs, "resources", one+".md"))
			if single+resource != "" || err != nil || err2 != nil {
				return shortened(string(page), list, one, single, resource), errors.Join(err, err2)
			}
		}
		return string(page), nil
	})
}

// shortenReads says of the attributes in a data source which are those of the resource of its name, instead of
// describing each once more. What means something else when it is read stays; so does a short list.
func shortenReads(docs string) error {
	return rewrite(filepath.Join(docs, "data-sources", "*.md"), func(file string, page []byte) (string, error) {
		resource, err := readIfThere(filepath.Join(docs, "resources", file))
		return readShortened(string(page), resource, file), err
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

// readShortened is the page of a data source, by that of its resource, which has the name of a file.
func readShortened(page, resource, file string) string {
	text, sections, end := parsed(page)
	theirs := leftTo(page, resource)
	for _, section := range sections {
		if !theirs.has(section.within) {
			text += section.heading + theirs.leave(section.within, section.text, file)
		}
	}
	return text + end
}

// leaves are the attributes that a data source leaves to the page of its resource, by the attribute that they are
// within and a dot, "" for the first.
type leaves map[string][]string

// leftTo are those of the page of a data source.
func leftTo(page, resource string) leaves {
	ours, theirs, found := map[string]string{}, lines(resource), leaves{}
	_, sections, _ := parsed(page)
	for _, section := range sections {
		ours[section.within] = section.text
	}
	for path := range ours {
		if same := sameIn(ours, theirs, path); len(same) > 3 {
			found[path] = same
		}
	}
	return found
}

// has reports whether what is within an attribute is left with it.
func (l leaves) has(path string) bool {
	for parent, names := range l {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(path, parent+name+".") }) {
			return true
		}
	}
	return false
}

// leave is what remains of a section.
func (l leaves) leave(path, section, file string) string {
	names := l[path]
	if names == nil {
		return section
	}
	required, read, isFirst := strings.Cut(section, readOnly)
	lead, anchor := "\n", "nestedatt--"+strings.ReplaceAll(strings.TrimSuffix(path, "."), ".", "--")
	if isFirst {
		lead, anchor = required+readOnly, "schema"
	} else {
		read = section
	}
	text := fmt.Sprintf("%sAs in the [resource](../resources/%s#%s): %s", lead, file, anchor, listed(names))
	var own string
	for _, line := range described.FindAllStringSubmatch(read, -1) {
		if !slices.Contains(names, line[1]) {
			own += line[0]
		}
	}
	return withOwn(text, own)
}

// withOwn goes on with what isn't described elsewhere, if anything.
func withOwn(text, own string) string {
	if own == "" {
		return text + "."
	}
	return text + ", and:\n\n" + strings.TrimSpace(own)
}

const readOnly = "### Read-Only\n\n"

// sameIn are the attributes of a section that the resource has by the same type and with the same meaning, with all
// that is within them.
func sameIn(ours map[string]string, theirs map[string][]string, path string) (names []string) {
	section := ours[path]
	if path == "" {
		_, section, _ = strings.Cut(section, readOnly)
	}
	for _, line := range described.FindAllStringSubmatch(section, -1) {
		within := path + line[1] + "."
		isWhole := len(sameIn(ours, theirs, within)) == len(described.FindAllString(ours[within], -1))
		if of := theirs[path+line[1]]; isWhole && of != nil && meansTheSame(line, of) {
			names = append(names, line[1])
		}
	}
	return names
}

// otherWhenRead is what a description says where the attribute is something else when it is read.
var (
	otherWhenRead = regexp.MustCompile(`at the creation only|[Ss]tays what it was|[Nn]ull unless`)
	null          = regexp.MustCompile(`\b[Nn]ull\b`)
)

// meansTheSame reports whether what a data source has is what its resource has, null in the same cases.
func meansTheSame(ours, theirs []string) bool {
	saysNull := func(line []string) bool { return null.MatchString(line[0]) }
	return ours[2] == theirs[2] && !otherWhenRead.MatchString(theirs[0]) && saysNull(ours) == saysNull(theirs)
}

var (
	nestedSchema = regexp.MustCompile("\n+<a id=\"nestedatt--[^\"]*\"></a>\n### Nested Schema for `([^`]+)`\n")
	described    = regexp.MustCompile("(?m)^- `([^`]+)` (\\([^)]*\\)) .*\n?")
)

// shortened is the page of a list, by those of one of its objects.
func shortened(page, list, one, single, resource string) string {
	begin, sections, end := parsed(page)
	theirs, isSame := lines(single), func(ours, theirs []string) bool { return ours[2] == theirs[2] }
	if single == "" {
		theirs, isSame = lines(resource), meansTheSame
	}
	var same []string
	nested := ""
	for _, section := range sections[1:] {
		within, isIn := strings.CutPrefix(section.within, list+".")
		if !isIn {
			return page
		}
		own := described.ReplaceAllStringFunc(section.text, func(text string) string {
			line := described.FindStringSubmatch(text)
			if of := theirs[within+line[1]]; of == nil || !isSame(line, of) {
				return text
			}
			if within == "" {
				same = append(same, line[1])
			}
			return ""
		})
		switch {
		case within == "":
			nested += section.heading + "\n" + withOwn("@same", strings.Join(described.FindAllString(own, -1), ""))
		case described.MatchString(own) || !slices.Contains(same, strings.Split(within, ".")[0]):
			nested += section.heading + section.text
		}
	}
	if len(same) == 0 || single == "" && len(same) < 4 {
		return page
	}
	left := same
	if single != "" {
		left = leftTo(single, resource)[""]
	}
	nested = strings.Replace(strings.TrimRight(nested, "\n"), "@same", asIn(one, left, same), 1)
	return begin + sections[0].text + nested + end
}

// lines are the descriptions on a page, by the path of what they describe.
func lines(page string) map[string][]string {
	found := map[string][]string{}
	_, sections, _ := parsed(page)
	for _, section := range sections {
		for _, line := range described.FindAllStringSubmatch(section.text, -1) {
			found[section.within+line[1]] = line
		}
	}
	return found
}

// asIn says where the attributes of one object are described: by its resource what is left to that, else by its data
// source.
func asIn(one string, left, names []string) string {
	var inResource, inSource []string
	for _, name := range names {
		if slices.Contains(left, name) {
			inResource = append(inResource, name)
		} else {
			inSource = append(inSource, name)
		}
	}
	var parts []string
	if inResource != nil {
		parts = append(parts, fmt.Sprintf("s in the resource [`neon_%s`](../resources/%s.md#schema): %s", one, one,
			listed(inResource)))
	}
	if inSource != nil {
		parts = append(parts, fmt.Sprintf("s in the data source [`neon_%s`](%s.md): %s", one, one, listed(inSource)))
	}
	return "A" + strings.Join(parts, "; a")
}

// listed are names as code.
func listed(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

// section is a part of a page's schema.
type section struct {
	heading string
	within  string // the attribute that it is within and a dot; empty for the first
	text    string
}

// parsed are the sections of a page's schema, and what is before and behind them.
func parsed(page string) (begin string, sections []section, end string) {
	begin, schema, _ := strings.Cut(page, "\n## Schema\n")
	schema, end, _ = strings.Cut(schema, "\n\n## See also")
	begun, last := 0, section{}
	for _, at := range nestedSchema.FindAllStringSubmatchIndex(schema, -1) {
		last.text = schema[begun:at[0]]
		sections = append(sections, last)
		begun, last = at[1], section{heading: schema[at[0]:at[1]], within: schema[at[2]:at[3]] + "."}
	}
	last.text = schema[begun:]
	return begin + "\n## Schema\n", append(sections, last), "\n\n## See also" + end
}
