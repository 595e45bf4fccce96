package client

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var (
	saidCall    = regexp.MustCompile(`(?m)^(GET|POST|PUT|PATCH|DELETE) (/\S+): (https://\S+)$`)
	placeholder = regexp.MustCompile(`\\\{[^}]*\\\}`)
)

// sayable is a call as a description says it, such as "POST /projects/{project_id}/recover", and as it is sent.
type sayable struct {
	said string
	sent *regexp.Regexp
}

func (s sayable) isSentAs(sent string) bool { return s.sent.MatchString(sent) }

// declaredMethods are the methods of the package.
func declaredMethods(t *testing.T) (methods []*ast.FuncDecl) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			if method, is := declared.(*ast.FuncDecl); is && method.Recv != nil {
				methods = append(methods, method)
			}
		}
	}
	return methods
}

// The tests that the description of the package names exist.
func TestThePackageNamesItsTests(t *testing.T) {
	said, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var tests []byte
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, text...)
	}
	for _, name := range regexp.MustCompile(`Test\w+`).FindAllString(string(said), -1) {
		if !strings.Contains(string(tests), "\nfunc "+name+"(t *testing.T)") {
			t.Errorf("there is no %s", name)
		}
	}
}

// saidCalls are the calls that the description of each method says.
func saidCalls(t *testing.T) map[string][]sayable {
	t.Helper()
	said := map[string][]sayable{}
	for _, method := range declaredMethods(t) {
		for _, found := range saidCall.FindAllStringSubmatch(method.Doc.Text(), -1) {
			prefix, route := controlAPI.prefix(), found[2]
			if !strings.Contains(found[3], "://api-docs.neon.tech/reference/") {
				prefix = ""
			}
			path := placeholder.ReplaceAllString(regexp.QuoteMeta(prefix+route), "[^/]+")
			said[method.Name.Name] = append(said[method.Name.Name],
				sayable{found[1] + " " + route, regexp.MustCompile("^" + found[1] + " " + path + "$")})
		}
	}
	return said
}

// Two ids side by side can be swapped without a word from the compiler: what takes more than one to name is one value.
func TestNoMethodTakesTwoIDs(t *testing.T) {
	for _, method := range declaredMethods(t) {
		var ids []string
		for _, field := range method.Type.Params.List {
			for _, name := range field.Names {
				if kind, is := field.Type.(*ast.Ident); is && kind.Name == "string" &&
					(name.Name == "id" || strings.HasSuffix(name.Name, "ID")) {
					ids = append(ids, name.Name)
				}
			}
		}
		if method.Name.IsExported() && len(ids) > 1 {
			t.Errorf("%s takes %s", method.Name, strings.Join(ids, " and "))
		}
	}
}

// sentCalls are the requests to Neon that a method sends, with what can be read in between.
type sentCalls struct {
	*world

	mu   sync.Mutex
	sent []string
	// all has what goes elsewhere, too.
	all []string
}

func (s *sentCalls) RoundTrip(request *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.all = append(s.all, request.Method+" "+request.URL.EscapedPath())
	if strings.HasPrefix(request.URL.Path, "/api/") || strings.HasPrefix(request.URL.Path, claimableNeonAPI.prefix()+"/") {
		s.sent = append(s.sent, request.Method+" "+request.URL.EscapedPath())
	}
	s.mu.Unlock()
	return s.world.RoundTrip(request)
}

// Each method says which calls of Neon's it sends, with the page of the published reference: all that change something,
// and of those that only read, what it is for.
func TestEveryMethodSaysItsCall(t *testing.T) {
	said, table, talks := saidCalls(t), map[string]writing{}, reflect.TypeFor[context.Context]()
	for _, writing := range writings {
		table[writing.method] = writing
	}
	for method := range reflect.TypeFor[*Client]().Methods() {
		if method.Type.NumIn() < 2 || method.Type.In(1) != talks {
			continue
		}
		t.Run(method.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				platform, args := &sentCalls{world: &world{state: fullWorld}}, plainArguments(ctx, method.Type)
				if writing, is := table[method.Name]; is {
					platform.world = &world{writing: writing, state: writing.before}
					args = append([]any{ctx}, writing.args...)
				}
				_ = errorOf(callMethod(newClient(t, platform), method.Name, args...))
				isSaid := func(sent string) bool {
					return slices.ContainsFunc(said[method.Name], func(call sayable) bool { return call.isSentAs(sent) })
				}
				hasSent := len(platform.sent) == 0
				for _, sent := range platform.sent {
					hasSent = hasSent || isSaid(sent)
					if !strings.HasPrefix(sent, "GET ") && !isSaid(sent) {
						t.Errorf("it sends %s, and doesn't say so", sent)
					}
				}
				if !hasSent || len(said[method.Name]) == 0 {
					t.Errorf("it says %v, and sends %v", said[method.Name], platform.sent)
				}
			})
		})
	}
}
