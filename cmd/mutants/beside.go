package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// wantedFault is the variable of the environment that names the fault which a program with many has.
const wantedFault = "NEON_MUTANT"

// plantBeside writes an overlay with many faults of a package, so that it is compiled once for all of them: a function
// with a fault stands beside the one without, which calls it where that fault is wanted. It returns the faults that
// change more than bodies of functions, too. Of each fault there is an overlay of its own, in the folder of its name.
func plantBeside(
	ctx context.Context, work, folder string, faults []planted,
) (overlay string, alone []planted, err error) {
	replaced := map[string]string{}
	besides := map[string]*beside{}
	for _, fault := range faults {
		changed := filepath.Join(work, fault.name())
		if err := os.Mkdir(changed, 0o700); err != nil {
			return "", nil, err
		}
		if _, err := plant(ctx, changed, fault.path); err != nil {
			return "", nil, fmt.Errorf("%s doesn't apply any more: %w", fault.name(), err)
		}
		file := patchedFile.FindStringSubmatch(fault.text)[1]
		if besides[file] == nil {
			if besides[file], err = readBeside(file); err != nil {
				return "", nil, err
			}
		}
		text, err := os.ReadFile(filepath.Join(changed, file)) // #nosec G304 -- a copy of one of the repository's own
		if err != nil {
			return "", nil, err
		}
		isOneFile := len(patchedFile.FindAllString(fault.text, -1)) == 1 && filepath.Dir(file) == filepath.Clean(folder)
		if !isOneFile || !besides[file].plant(fault.name(), text) {
			alone = append(alone, fault)
		}
	}
	name := ""
	for file, b := range besides {
		name = b.file.Name.Name
		if err := replace(replaced, work, file, b.text()); err != nil {
			return "", nil, err
		}
	}
	text := fmt.Sprintf("package %s\n\nimport \"os\"\n\nvar wantedFault = os.Getenv(%q)\n", name, wantedFault)
	if err := replace(replaced, work, filepath.Join(folder, "wanted_fault.go"), text); err != nil {
		return "", nil, err
	}
	overlay, err = writeOverlay(work, replaced)
	return overlay, alone, err
}

// replace has a text in place of a file of the repository.
func replace(replaced map[string]string, work, file, text string) error {
	original, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	replaced[original] = filepath.Join(work, filepath.Base(file))
	return os.WriteFile(replaced[original], []byte(text), 0o600)
}

// beside is a file in which faults are planted beside its own functions.
type beside struct {
	source []byte
	file   *ast.File
	// calls are what stands at the beginning of bodies, by where those begin; functions are those with faults.
	calls     map[int]string
	functions strings.Builder
}

func readBeside(path string) (*beside, error) {
	source, err := os.ReadFile(path) // #nosec G304 -- one of the repository's own
	if err != nil {
		return nil, err
	}
	return newBeside(source)
}

func newBeside(source []byte) (*beside, error) {
	file, err := parse(source)
	return &beside{source: source, file: file, calls: map[int]string{}}, err
}

// parse has positions begin at 1.
func parse(source []byte) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
}

// plant plants a fault, and reports whether it could: where only bodies of functions are changed.
func (b *beside) plant(fault string, patched []byte) bool {
	file, err := parse(patched)
	if err != nil || len(file.Decls) != len(b.file.Decls) {
		return false
	}
	calls := map[int]string{}
	var functions strings.Builder
	for i, own := range b.file.Decls {
		before, after := textOf(b.source, own.Pos(), own.End()), textOf(patched, file.Decls[i].Pos(), file.Decls[i].End())
		if bytes.Equal(before, after) {
			continue
		}
		function, isFunction := own.(*ast.FuncDecl)
		changed, stays := file.Decls[i].(*ast.FuncDecl)
		if !isFunction || !stays ||
			!bytes.Equal(textOf(b.source, own.Pos(), function.Body.Lbrace),
				textOf(patched, changed.Pos(), changed.Body.Lbrace)) {
			return false
		}
		// Reflection doesn't show it as a method, since it isn't exported.
		name := strings.ReplaceAll("fault_"+fault+"_"+function.Name.Name, "-", "_")
		call, canCall := callOf(function, name)
		if !canCall {
			return false
		}
		calls[int(function.Body.Lbrace)] = fmt.Sprintf("\nif wantedFault == %q {\n%s\n}\n", fault, call)
		functions.WriteString("\n" + string(textOf(patched, changed.Pos(), changed.Name.Pos())) + name +
			string(textOf(patched, changed.Name.End(), changed.End())) + "\n")
	}
	for at, call := range calls {
		b.calls[at] += call
	}
	b.functions.WriteString(functions.String())
	return len(calls) > 0
}

func textOf(source []byte, from, to token.Pos) []byte { return source[from-1 : to-1] }

// callOf passes on what a function was called with to another of the same signature, unless that has no names.
func callOf(function *ast.FuncDecl, name string) (call string, canCall bool) {
	if function.Recv != nil {
		receiver := function.Recv.List[0].Names
		if len(receiver) != 1 || receiver[0].Name == "_" {
			return "", false
		}
		name = receiver[0].Name + "." + name
	}
	var types, arguments []string
	if function.Type.TypeParams != nil {
		for _, field := range function.Type.TypeParams.List {
			for _, one := range field.Names {
				types = append(types, one.Name)
			}
		}
		name += "[" + strings.Join(types, ", ") + "]"
	}
	for _, field := range function.Type.Params.List {
		if len(field.Names) == 0 {
			return "", false
		}
		for _, one := range field.Names {
			argument := one.Name
			if _, isVariadic := field.Type.(*ast.Ellipsis); isVariadic {
				argument += "..."
			}
			arguments = append(arguments, argument)
		}
	}
	call = name + "(" + strings.Join(arguments, ", ") + ")"
	if function.Type.Results != nil {
		return "return " + call, !slices.Contains(arguments, "_")
	}
	return call + "\nreturn", !slices.Contains(arguments, "_")
}

// text is the file with what was planted.
func (b *beside) text() string {
	var text strings.Builder
	for i, one := range b.source {
		text.WriteByte(one)
		text.WriteString(b.calls[i+1])
	}
	return text.String() + b.functions.String()
}
