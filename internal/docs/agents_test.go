package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// Every configuration of AGENTS.md is one that a test applies, whole but for the provider's source.
func TestAgents_showAppliedExamples(t *testing.T) {
	t.Parallel()
	applied := map[string]struct{ file, patterns string }{
		"TestAccExamples": {"internal/provider/walks/examples_test.go", `"provider/*.tf", "resources/*/resource*.tf"`},
	}
	text := read(t, "AGENTS.md")
	shown := regexp.MustCompile("(?s)```terraform\n(.*?)```\n\nFrom \\[`examples/(.*?)`\\]\\(examples/(.*?)\\), which `(.*?)` applies\\.").FindAllStringSubmatch(text, -1)
	if blocks := strings.Count(text, "```terraform"); len(shown) != blocks || blocks < 4 {
		t.Fatalf("%d of %d configurations say where they come from", len(shown), blocks)
	}
	for _, block := range shown {
		if example := read(t, "examples/"+block[2]); block[2] != block[3] || !strings.HasSuffix(example, block[1]) {
			t.Errorf("this isn't how %s ends:\n%s", block[2], block[1])
		}
		by, matches := applied[block[4]], false
		for _, pattern := range regexp.MustCompile(`"(.*?)"`).FindAllStringSubmatch(by.patterns, -1) {
			match, err := filepath.Match(pattern[1], block[2])
			matches = matches || match && err == nil
		}
		if code := read(t, by.file); !matches || !strings.Contains(code, by.patterns) ||
			!strings.Contains(code, "func "+block[4]+"(") {
			t.Errorf("%s doesn't apply %s", block[4], block[2])
		}
	}
}

// What AGENTS.md calls attributes of other providers can't be configured here.
func TestAgents_otherAttributes(t *testing.T) {
	t.Parallel()
	_, tables, _ := strings.Cut(read(t, "AGENTS.md"), "\n## Attributes of other providers\n")
	schema, err := provider.NewServer("test").New().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	can := map[string]bool{}
	for resource, one := range schema.ResourceSchemas {
		for _, attribute := range one.Block.Attributes {
			can[resource+"."+attribute.Name] = attribute.Optional || attribute.Required
		}
	}
	checked := 0
	for _, row := range regexp.MustCompile(
		"(?m)^\\| `(neon_[a-z_]+)(?:`: |\\.x\\.)(.*?) \\| .* \\|$").FindAllStringSubmatch(tables, -1) {
		if strings.Contains(row[2], "no `") || strings.Contains(row[2], "a number") || strings.Contains(row[2], "or `host`") {
			continue // It is about a value.
		}
		for _, name := range regexp.MustCompile("(?:^|`)([a-z_0-9]+)(?: = [^`]*| \\{[^`]*)?`").FindAllStringSubmatch(
			row[2], -1) {
			checked++
			if can[row[1]+"."+name[1]] {
				t.Errorf("%s has %s", row[1], name[1])
			}
		}
	}
	if checked < 35 {
		t.Errorf("%d attributes", checked)
	}
}

// llms.txt links every page once, with a line about it.
func TestLLMs_linkEveryPage(t *testing.T) {
	t.Parallel()
	text := read(t, "llms.txt")
	if !regexp.MustCompile(`^# .+\n\n> .+\n\n`).MatchString(text) {
		t.Error("it doesn't begin with a title and a summary")
	}
	links := map[string]int{}
	for _, link := range linkTarget.FindAllStringSubmatch(text, -1) {
		links[link[1]]++
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(link[1]))); err != nil {
			t.Errorf("%s leads nowhere", link[1])
		}
	}
	for path := range pages(t) {
		relative, err := filepath.Rel(root, path)
		if name := filepath.ToSlash(relative); err == nil && strings.HasPrefix(name, "docs/") {
			if links[name] != 1 {
				t.Errorf("%s is linked %d times", name, links[name])
			}
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "- ") && !regexp.MustCompile(`^- \[[^\]]+\]\([^)]+\): \S.*$`).MatchString(line) {
			t.Errorf("%q isn't a link with a line about it", line)
		}
	}
}
