// Pages writes the templates of the documentation to a folder, with what the nouns say of themselves
// in them: a line "@include NAME" stands for templates/partials/NAME.tmpl, or for one of the parts
// that come from the files noun.hcl. Release/NAME is what is so before the first release, or after it:
// templates/partials/release has the folder's name. Links to files on main become links to those of
// the release that the pages are of. With -agents it shortens the pages of
// data sources that were rendered instead, and writes AGENTS.md and llms.txt from all. With -schema it prints the
// provider's schema, of which the pages are made.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

func main() {
	var err error
	switch {
	case len(os.Args) == 2 && os.Args[1] == "-schema":
		err = printSchema()
	case len(os.Args) == 2:
		err = write(os.Args[1])
	case len(os.Args) == 4 && os.Args[1] == "-agents":
		if err = errors.Join(shortenLists(os.Args[2]), shortenReads(os.Args[2])); err == nil {
			err = writeForAgents(os.Args[2], os.Args[3])
		}
	default:
		fmt.Fprintln(os.Stderr, "usage, in the repository's root: pages FOLDER, pages -schema, or pages -agents DOCS FOLDER")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// write writes all templates but the partials to a folder.
func write(folder string) error {
	all, err := nouns.Read(".")
	if err != nil {
		return err
	}
	links, err := seeAlso()
	if err != nil {
		return err
	}
	parts, err := partsOf(all, links)
	if err != nil {
		return err
	}
	release, err := os.ReadFile("templates/partials/release")
	if err != nil {
		return err
	}
	parts["release"] = strings.TrimSpace(string(release))
	version, err := linked(parts["release"])
	if err != nil {
		return err
	}
	return fs.WalkDir(os.DirFS("templates"), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".tmpl" || strings.HasPrefix(path, "partials") {
			return err
		}
		text, err := included(filepath.Join("templates", path), parts)
		if err != nil {
			return err
		}
		written := filepath.Join(folder, path)
		if err := os.MkdirAll(filepath.Dir(written), 0o750); err != nil { //nolint:gosec // The folder is what make asks for.
			return err
		}
		text = onMain.ReplaceAllString(text, "$1/"+version+"/")
		return os.WriteFile(written, []byte(text), 0o600) //nolint:gosec // The same.
	})
}

// onMain is where a link leads to a file of the repository, or a folder.
var onMain = regexp.MustCompile(`(/terraform-provider-neon/(?:blob|tree))/main/`)

// linked is the version whose files pages link to: the Registry shows the pages of a release for good, while files move
// on main. What no release has yet is on main.
func linked(release string) (string, error) {
	unreleased, err := filepath.Glob(".changes/unreleased/*.yaml")
	if err != nil || release == "unreleased" || len(unreleased) > 0 {
		return "main", err
	}
	log, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		return "", err
	}
	newest := regexp.MustCompile(`(?m)^## (\d\S*)`).FindSubmatch(log)
	if newest == nil {
		return "", errors.New("CHANGELOG.md names no release")
	}
	return "v" + string(newest[1]), nil
}

// include is a line of its own, or names within a line.
var include = regexp.MustCompile(`(?m)^@include (\S+)\n|@@(\S+?)@@`)

// included is a file with what it includes.
func included(file string, parts map[string]string) (string, error) {
	text, err := os.ReadFile(file) //nolint:gosec // It is one of our templates.
	if err != nil {
		return "", err
	}
	return include.ReplaceAllStringFunc(string(text), func(line string) string {
		name := strings.Join(include.FindStringSubmatch(line)[1:], "")
		part, known := parts[name]
		if !known {
			var problem error
			if of, is := strings.CutPrefix(name, "release/"); is {
				name = parts["release"] + "/" + of
			}
			part, problem = included(filepath.Join("templates", "partials", name+".tmpl"), parts)
			if problem != nil {
				err = problem
			}
		}
		return part
	}), err
}

// kind is a kind of what is served: its folder among examples and pages, how its pages and sentences call it, the file
// of its first example, and how its block begins there.
type kind struct{ folder, page, many, file, block string }

var kinds = []kind{
	{"resources", "Resource", "resources", "resource.tf", "resource"},
	{"data-sources", "Data Source", "data sources", "data-source.tf", "data"},
	{"ephemeral-resources", "Ephemeral Resource", "ephemeral resources", "ephemeral-resource.tf", "ephemeral"},
	{"list-resources", "List Resource", "list resources", "list-resource.tfquery.hcl", "list"},
	{"actions", "Action", "actions", "action.tf", "action"},
	{"functions", "function", "functions", "", ""},
}

// partsOf are the parts that come from the nouns: subcategory sets the page's group, key says which API key it needs
// where that isn't any that sees the project, samples sets what is shown of its first example, and of what that prints,
// import says how to import it, and see-also leads on to other pages.
func partsOf(all map[string]nouns.Noun, links map[string][]string) (map[string]string, error) {
	group, key, further, imports := "{{- $subcategory := \"\" }}\n", keyHead, "", ""
	samples := "{{ $shown := \"\" }}{{ $sample := \"\" -}}\n"
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		noun := all[folder]
		for _, resource := range noun.Resources {
			if len(resource.Identity) > 0 {
				text, err := imported(resource)
				if err != nil {
					return nil, err
				}
				imports += when(resource.Name, "Resource", text)
			}
		}
		for _, page := range noun.Pages {
			group += when(page.Name, "", fmt.Sprintf("{{ $subcategory = %q }}", noun.GroupOf(page)))
			for _, kind := range kindsOf(page.Name) {
				own := kind.folder + "/" + strings.TrimPrefix(page.Name, "neon_")
				further += when(page.Name, kind.page, "\n\n## See also\n\n"+leadsOn(links, noun.GroupOf(page), own))
				example := filepath.Join("examples", kind.folder, page.Name)
				if text, err := os.ReadFile(filepath.Join(example, kind.file)); err == nil { //nolint:gosec // It is one of our examples.
					samples += when(page.Name, kind.page, fmt.Sprintf("{{ $shown = %q }}",
						shown(string(text), kind.block+" \""+page.Name+"\"")))
				}
				if output, err := os.ReadFile(filepath.Join(example, "output.txt")); err == nil { //nolint:gosec // The same.
					samples += when(page.Name, kind.page, fmt.Sprintf("{{ $sample = %q }}", excerpt(string(output))))
				}
				if need := page.KeyOf(kind.page); need != "" {
					key += when(page.Name, kind.page, fmt.Sprintf("{{ $key = %q }}",
						keyTable.ReplaceAllString(need, "$1[API key](../guides/api-keys.md#which-key-for-what)")))
				}
			}
		}
	}
	return map[string]string{
		"subcategory": trimmed(group), "key": key + keyTail, "samples": trimmed(samples), "see-also": further,
		"import": imports,
	}, nil
}

// enumerated is "`a`, `b` and `c`".
func enumerated(names []string) string {
	text := "`" + strings.Join(names, "`, `") + "`"
	if last := strings.LastIndex(text, ", "); last > 0 {
		text = text[:last] + " and" + text[last+1:]
	}
	return text
}

const (
	keyHead = "{{- $key := \"\" }}\n"
	keyTail = "{{- if $key }}\n\n{{ $key }}{{ end }}\n"
)

// keyTable is where a sentence about keys leads to the table of them.
var keyTable = regexp.MustCompile(`^((?:Needs a personal|Works with any) )API key`)

// when is a part of a template for the pages of one name, of one kind if any is given.
func when(name, kind, then string) string {
	condition := fmt.Sprintf("eq .Name %q", name)
	if kind != "" {
		condition = fmt.Sprintf("and (%s) (eq .Type %q)", condition, kind)
	}
	return "{{- if " + condition + " }}" + then + "{{ end }}\n"
}

// trimmed is a part whose last line leaves no line behind.
func trimmed(part string) string { return strings.TrimSuffix(part, " }}\n") + " -}}\n" }

// kindsOf are the kinds that have something of a name, as each has an example.
func kindsOf(name string) []kind {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind kind) bool {
		_, err := os.Stat(filepath.Join("examples", kind.folder, name))
		return err != nil
	})
}

// seeAlso returns the links of templates/see-also.txt, by the page or the group of pages that they are for.
func seeAlso() (map[string][]string, error) {
	text, err := os.ReadFile("templates/see-also.txt")
	if err != nil {
		return nil, err
	}
	links, page := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if title, is := strings.CutPrefix(line, "# "); is {
			page = title
		} else if strings.HasPrefix(line, "- ") {
			links[page] = append(links[page], line)
		}
	}
	return links, nil
}

// leadsOn are the links of a page: its own, else those of its group, of which the resource in its name comes first, and
// what Neon writes last. To a data source or a list, its resource is enough.
func leadsOn(links map[string][]string, group, page string) string {
	if own, has := links[page]; has {
		return strings.Join(own, "\n")
	}
	var ours, neons []string
	for _, line := range links[group] {
		switch {
		case strings.HasSuffix(line, ", by Neon"):
			neons = append(neons, line)
		case !strings.Contains(line, "](../"+page+".md)"):
			ours = append(ours, line)
		}
	}
	kind, name, _ := strings.Cut(page, "/")
	resource := "](../resources/" + strings.TrimSuffix(name, "s") + ".md)"
	slices.SortStableFunc(ours, func(a, b string) int { return aboutIn(name, b) - aboutIn(name, a) })
	most := 1
	switch kind {
	case "resources":
		most = 2
	case "data-sources", "list-resources":
		if strings.Contains(ours[0], resource) { // Its page leads on to Neon's.
			neons = nil
		}
	}
	return strings.Join(append(ours[:min(len(ours), most)], neons...), "\n")
}

// toResource is a link to a resource.
var toResource = regexp.MustCompile(`\]\(\.\./resources/(\w+)\.md\)`)

// aboutIn says how much of a page's name is the resource that a link leads to.
func aboutIn(name, link string) int {
	if of := toResource.FindStringSubmatch(link); len(of) > 1 && strings.Contains(name, of[1]) {
		return len(of[1])
	}
	return 0
}

// shown is what a page shows of its first example, whose file is whole: neither where the provider comes from, nor
// variables, nor other resources that come before what the page is about; nor, but on a resource's page, branches and
// projects.
func shown(example, about string) string {
	var blocks []string
	for part := range strings.SplitSeq(strings.TrimSpace(example), "\n\n") {
		if last := len(blocks) - 1; strings.HasPrefix(part, "  ") {
			blocks[last] += "\n\n" + part
		} else {
			blocks = append(blocks, part)
		}
	}
	begins := regexp.MustCompile(`(?m)^` + about)
	isBefore, isOfResource := true, strings.HasPrefix(about, "resource ")
	return strings.Join(slices.DeleteFunc(blocks, func(block string) bool {
		isBefore = isBefore && !begins.MatchString(block)
		return head.MatchString(block) || isBefore && (resource.MatchString(block) || !isOfResource &&
			place.MatchString(block))
	}), "\n\n")
}

var (
	head     = regexp.MustCompile(`^(terraform|variable) `)
	resource = regexp.MustCompile(`(?m)^resource `)
	place    = regexp.MustCompile(`(?m)^data "neon_(branch|project)" `)
	// invoked is what an action printed, between what Terraform says of it.
	invoked = regexp.MustCompile(`(?s)\nAction started: [^\n]*\n(.*?)Action complete: `)
	// progress is a line about an operation that an action waits for.
	progress = regexp.MustCompile(`(?m)^Action .*: (running|scheduling|finished after \S+)\.\n`)
)

// excerpt is what a page shows of an example's output: the values of its outputs, or what its action printed.
func excerpt(output string) string {
	command, _, _ := strings.Cut(output, "\n")
	if _, values, has := strings.Cut(output, "\nOutputs:\n\n"); has {
		return "$ terraform output\n" + strings.TrimSpace(values)
	}
	if printed := invoked.FindStringSubmatch(output); printed != nil {
		return command + "\n...\n" + strings.TrimSpace(progress.ReplaceAllString(printed[1], ""))
	}
	return strings.TrimSpace(output)
}
