package emulator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Each reading changes what the emulator does, and each alternative that it plays is one.
func TestReadings_arePlayed(t *testing.T) {
	t.Parallel()
	readings := map[string]Reading{} // By their variables.
	for _, file := range parsed(t, "doubts/*.go") {
		ast.Inspect(file, func(node ast.Node) bool {
			spec, is := node.(*ast.ValueSpec)
			if !is || len(spec.Values) == 0 {
				return true
			}
			value, is := spec.Values[0].(*ast.CallExpr)
			if !is {
				return false
			}
			if len(value.Args) > 3 { // The last is its reading.
				key, _ := strconv.Unquote(value.Args[0].(*ast.BasicLit).Value)
				all := Readings()
				readings[spec.Names[0].Name] = all[slices.IndexFunc(all, func(r Reading) bool { return r.Name == key })]
			}
			return false
		})
	}
	if len(readings) != len(Readings()) {
		t.Errorf("%d of %d readings have a variable, by which they could be played", len(readings), len(Readings()))
	}
	used := map[string]bool{}
	for _, file := range parsed(t, "*.go") {
		ast.Inspect(file, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.SelectorExpr:
				if of, is := n.X.(*ast.Ident); is && of.Name == "doubts" {
					used[n.Sel.Name] = true
				}
			case *ast.CallExpr:
				if called, is := n.Fun.(*ast.SelectorExpr); is && called.Sel.Name == "plays" {
					name, literal := n.Args[0].(*ast.SelectorExpr).Sel.Name, n.Args[1].(*ast.BasicLit).Value
					if alternative, _ := strconv.Unquote(literal); !slices.Contains(readings[name].Alternatives, alternative) {
						t.Errorf("doubts.%s has no alternative %s", name, literal)
					}
				}
			}
			return true
		})
	}
	for name := range readings {
		if !used[name] {
			t.Errorf("%s changes nothing", name)
		}
	}
}

// parsed are the files of a pattern that aren't tests.
func parsed(t *testing.T, pattern string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatal(pattern, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

func TestReadings_controlPath(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Readings: map[string]string{"branch-origin": "always"}})
	if got := p.control("GET", "/readings", ""); !strings.Contains(got.text, `"played":"always"`) {
		t.Errorf("it plays %s", got.text)
	}
	if got := p.control("POST", "/readings", `{"readings":{"branch-origin":"asked"}}`); strings.Contains(got.text,
		`"played":"always"`) {
		t.Errorf("it plays %s", got.text)
	}
	for body, says := range map[string]string{
		`{"readings":{"branch-origin":"soon"}}`: "it must be one of late, asked, always",
		`{"readings":{"parents":"late"}}`:       "branch-origin=late|asked|always",
	} {
		if got := p.send("POST", "/_emulator/readings", body); got.status != 400 || !strings.Contains(got.text, says) {
			t.Errorf("%s: %d %s", body, got.status, got.text)
		}
	}
}

// An answer says where a branch begins in one of three ways.
func TestReadings_parentPosition(t *testing.T) {
	t.Parallel()
	for played, want := range map[string]struct{ atCreation, later, asked bool }{
		"late": {false, true, false}, "asked": {true, true, true}, "always": {true, true, false},
	} {
		p := start(t, Config{Readings: map[string]string{"branch-origin": played}})
		moment := p.ahead(-time.Minute)
		born := p.must("POST", "{p}/branches", `{"branch":{"parent_timestamp":"`+moment+`"}}`)
		read := p.must("GET", "{p}/branches/"+born.str("branch", "id"), "")
		for name, at := range map[string]struct {
			a    answer
			told bool
		}{"creation": {born, want.atCreation}, "GET": {read, want.later}} {
			told, _ := at.a.at("branch", "parent_timestamp").(string)
			if (told != "") != at.told || told != "" && (told == moment) != want.asked {
				t.Errorf("%s: the answer to the %s has parent_timestamp %q, %s was asked for", played, name, told, moment)
			}
			if at.a.str("branch", "parent_lsn") == "" {
				t.Errorf("%s: the answer to the %s has no parent_lsn", played, name)
			}
		}
	}
}
