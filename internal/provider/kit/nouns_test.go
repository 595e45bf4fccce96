package kit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stays has the nouns that kit may name, and why.
var stays = map[string]string{
	"project":      "every object is in one",
	"branch":       "most objects are in one",
	"organization": "all projects are in one, and the provider block names it",
	"api key":      "the provider block has that of all requests",
	"claimable":    "the provider block has the address of that API",
	"operation":    "any change of any object is one",
	"trigger":      "Terraform's word for what has an action invoked or a secret rotated",
	"member":       "one of an object's values, in configurations and in private states",
	"user":         "Go's word for who is named in an address",
}

// What is one noun's stands in its folder: kit names none in an identifier or a text, but those in which others are.
func TestKit_namesNoNoun(t *testing.T) {
	t.Parallel()
	known := namesOfNouns(t)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		places := token.NewFileSet()
		file, err := parser.ParseFile(places, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			text := ""
			switch node := node.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Ident:
				text = node.Name
			case *ast.BasicLit:
				if node.Kind == token.STRING {
					text, _ = strconv.Unquote(node.Value)
				}
			}
			for _, noun := range namedIn(text, known) {
				seen[noun] = true
				if stays[noun] == "" {
					t.Errorf("%s: %q is a noun's: move what is about it to its folder", places.Position(node.Pos()), noun)
				}
			}
			return true
		})
	}
	for noun := range stays {
		if !seen[noun] {
			t.Errorf("kit doesn't name %q: take it out of stays", noun)
		}
	}
}

// namesOfNouns are the names of all folders and of all that is served, in words.
func namesOfNouns(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../*/noun.hcl")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d nouns: %v", len(files), err)
	}
	for _, file := range files {
		names = append(names, filepath.Base(filepath.Dir(file)))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range regexp.MustCompile(`(?m)^(?:page|resource) "(?:neon_)?(\w+)"`).FindAllStringSubmatch(
			string(text), -1) {
			names = append(names, strings.ReplaceAll(page[1], "_", " "))
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool {
		return slices.ContainsFunc([]string{"s", "es"}, func(ending string) bool {
			single, isPlural := strings.CutSuffix(name, ending)
			return isPlural && slices.Contains(names, single)
		})
	})
}

var wordPattern = regexp.MustCompile(`[A-Z]+s?(?:[^a-zA-Z]|$)|[A-Z]?[a-z]+|[A-Z]+`)

func namedIn(text string, known []string) (named []string) {
	words := " " + strings.ToLower(strings.Join(wordPattern.FindAllString(text, -1), " ")) + " "
	for _, noun := range known {
		for _, form := range []string{noun, noun + "s", noun + "es"} {
			if strings.Contains(words, " "+form+" ") {
				named = append(named, noun)
			}
		}
	}
	return named
}
