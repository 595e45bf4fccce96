package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// untaken are the parameters of queries that calls of the emulator don't take, with the reason.
var untaken = map[string]string{
	"DELETE /projects/{project_id}/branches/{branch_id}?hard_delete":   "a deleted branch is gone here: recovering one isn't released",
	"POST /projects/{project_id}/snapshots/{snapshot_id}/restore?name": "the name in the body is the one that counts",
}

// untakenList is what the list of what isn't served says of them.
func untakenList() string {
	text := "\n# Parameters that the emulator doesn't take\n\nOf calls that it serves, it doesn't look at these parameters of the query.\n\n"
	for _, name := range slices.Sorted(maps.Keys(untaken)) {
		text += "- `" + name + "`: " + untaken[name] + "\n"
	}
	return text
}

// emulatorSource is the emulator's source, as far as it says which parameters a call takes.
type emulatorSource struct {
	constants map[string]string
	// calls are the functions that one calls, and reads the names that it asks a query for.
	calls, reads map[string][]string
	// routes are the names of handlers, finders and checks, by method and path.
	routes map[string][]string
}

func readEmulator(t *testing.T) emulatorSource {
	t.Helper()
	files, err := filepath.Glob("../emulator/*.go")
	if err != nil {
		t.Fatal(err)
	}
	s := emulatorSource{map[string]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}}
	var parsed []*ast.File
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	for range 3 { // Constants are made of others.
		for _, file := range parsed {
			ast.Inspect(file, s.constant)
		}
	}
	for _, file := range parsed {
		ast.Inspect(file, s.route)
		for _, declared := range file.Decls {
			if function, is := declared.(*ast.FuncDecl); is {
				s.function(function)
			}
		}
	}
	return s
}

func (s emulatorSource) constant(node ast.Node) bool {
	if spec, is := node.(*ast.ValueSpec); is && len(spec.Names) == 1 && len(spec.Values) == 1 {
		if text := s.text(spec.Values[0]); text != "" {
			s.constants[spec.Names[0].Name] = text
		}
	}
	return true
}

// text is what an expression of constants comes to; empty for others.
func (s emulatorSource) text(expression ast.Expr) string {
	switch of := expression.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(of.Value)
		return text
	case *ast.Ident:
		return s.constants[of.Name]
	case *ast.BinaryExpr:
		return s.text(of.X) + s.text(of.Y)
	}
	return ""
}

func (s emulatorSource) route(node ast.Node) bool {
	if row, is := node.(*ast.CompositeLit); is && len(row.Elts) == 3 {
		pattern := strings.Replace(s.text(row.Elts[0]), " /api/v2", " ", 1)
		ast.Inspect(row.Elts[2], func(within ast.Node) bool {
			switch of := within.(type) {
			case *ast.SelectorExpr:
				s.routes[pattern] = append(s.routes[pattern], of.Sel.Name)
			case *ast.CallExpr:
				if made, is := of.Fun.(*ast.Ident); is {
					s.routes[pattern] = append(s.routes[pattern], made.Name)
				}
			}
			return true
		})
	}
	return true
}

func (s emulatorSource) function(function *ast.FuncDecl) {
	name := function.Name.Name
	ast.Inspect(function, func(node ast.Node) bool {
		if of, is := node.(*ast.RangeStmt); is {
			if list, is := of.X.(*ast.CompositeLit); is {
				for _, element := range list.Elts {
					s.reads[name] = append(s.reads[name], s.text(element))
				}
			}
		}
		call, is := node.(*ast.CallExpr)
		if !is {
			return true
		}
		called := ""
		switch of := call.Fun.(type) {
		case *ast.SelectorExpr:
			called = of.Sel.Name
		case *ast.Ident:
			called = of.Name
		}
		s.calls[name] = append(s.calls[name], called)
		if called == "unlessEmpty" {
			return true // It is handed fields of answers.
		}
		for _, argument := range call.Args {
			if text := s.text(argument); text != "" {
				s.reads[name] = append(s.reads[name], text)
			}
		}
		return true
	})
}

// taken are the texts that a handler, and what it calls, hand on: names of parameters are among
// them.
func (s emulatorSource) taken(name string, seen map[string]bool) map[string]bool {
	all := map[string]bool{}
	if seen[name] {
		return all
	}
	seen[name] = true
	for _, text := range s.reads[name] {
		all[text] = true
	}
	for _, called := range s.calls[name] {
		maps.Copy(all, s.taken(called, seen))
	}
	return all
}

// A parameter of a served call that the description, or its newer copy, declares is taken by the
// emulator, or stands among those that aren't, with a reason.
func TestParameters(t *testing.T) {
	t.Parallel()
	needClients(t)
	document, err := description()
	if err != nil {
		t.Fatal(err)
	}
	source := readEmulator(t)
	if len(source.routes) < 150 {
		t.Fatalf("only %d calls are found in the emulator", len(source.routes))
	}
	known := map[string]bool{}
	for path, item := range document.Paths.Map() {
		for method, operation := range item.Operations() {
			taken, seen := map[string]bool{}, map[string]bool{}
			for _, name := range source.routes[method+" "+path] {
				maps.Copy(taken, source.taken(name, seen))
			}
			if len(seen) == 0 {
				continue
			}
			for _, parameter := range slices.Concat(item.Parameters, operation.Parameters) {
				name := method + " " + path + "?" + parameter.Value.Name
				if parameter.Value.In != openapi3.ParameterInQuery || taken[parameter.Value.Name] {
					continue
				}
				if known[name] = true; untaken[name] == "" {
					t.Errorf("the emulator doesn't take %s: serve it, or say in untaken why not", name)
				}
			}
		}
	}
	for name := range untaken {
		if !known[name] {
			t.Errorf("the emulator takes %s, or nobody declares it", name)
		}
	}
}
