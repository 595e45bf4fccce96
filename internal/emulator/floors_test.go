package emulator

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors are the package's files from the lowest floor to the highest; what no pattern fits is the calls, a file for
// each noun. A file uses only what is on its own floor and below.
var floors = []struct {
	name  string
	files []string
}{
	{"the world: what there is, and what follows from it", []string{"world*.go", "states.go", "config.go"}},
	{"what keeps it", []string{"parts.go", "state_file.go"}},
	{"the emulator of it, and what a call is", []string{
		"emulator.go", "call.go", "route.go", "readings*.go", "clock.go", "changes.go", "late.go", "leaving.go", "limits.go",
		"state.go", "shown.go",
	}},
	{"the calls", nil},
	{"the doors: both APIs, the control path, the page", []string{
		"routes.go", "serve.go", "server.go", "control*.go", "page_*.go", "seeding.go", "first_world.go",
	}},
}

const floorOfCalls = 3

func floorOf(file string) int {
	for i, floor := range floors {
		for _, pattern := range floor.files {
			if fits, _ := filepath.Match(pattern, file); fits {
				return i
			}
		}
	}
	return floorOfCalls
}

// mostCircles is how many pairs of files use each other, all on one floor.
const mostCircles = 11

func TestFloors(t *testing.T) {
	t.Parallel()
	ties, circles := fileTies(t), 0
	for from, used := range ties {
		for to, names := range used {
			if floorOf(to) > floorOf(from) {
				t.Errorf("%s (%s) uses %s of %s (%s): move what is used down, or its user up",
					from, floors[floorOf(from)].name, strings.Join(slices.Sorted(maps.Keys(names)), ", "), to,
					floors[floorOf(to)].name)
			}
			if from < to && ties[to][from] != nil {
				circles++
			}
		}
	}
	if circles > mostCircles {
		t.Errorf("%d pairs of files use each other, at most %d did: let one of each go without the other", circles,
			mostCircles)
	}
}

// fileTies are the names that each file of the package uses of each other one.
func fileTies(t *testing.T) map[string]map[string]map[string]bool {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	positions, files := token.NewFileSet(), []*ast.File(nil)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(positions, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	found := types.Info{Uses: map[*ast.Ident]types.Object{}}
	// Of other packages nothing is known, which is an error each, and doesn't matter.
	config := types.Config{Importer: noImports{}, Error: func(error) {}}
	checked, _ := config.Check("emulator", positions, files, &found)
	ties := map[string]map[string]map[string]bool{}
	for use, used := range found.Uses {
		from, to := positions.Position(use.Pos()).Filename, positions.Position(used.Pos()).Filename
		if field, is := used.(*types.Var); used.Pkg() != checked || from == to || to == "" || is && field.IsField() {
			continue
		}
		if ties[from] == nil {
			ties[from] = map[string]map[string]bool{}
		}
		if ties[from][to] == nil {
			ties[from][to] = map[string]bool{}
		}
		ties[from][to][used.Name()] = true
	}
	return ties
}

// noImports knows no package.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	empty := types.NewPackage(path, filepath.Base(path))
	empty.MarkComplete()
	return empty, nil
}
