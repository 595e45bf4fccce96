package chaos

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// Each noun's versions are configurations of its resource, each another one than the one before; all are in killed
// runs, too.
func TestVersions(t *testing.T) {
	t.Parallel()
	server := provider.NewServer("test").New()
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	const aProject, aBranch, anOrg = "wispy-meadow-12345678", "br-wispy-meadow-a1b2c3d4", "org-wispy-meadow-12345678"
	all := project{id: aProject, home: aBranch, root: aBranch, origin: aBranch, orgID: anOrg, files: t.TempDir()}
	if err := writeFiles(all.files); err != nil {
		t.Fatal(err)
	}
	k := &killed{workspace: &workspace{folder: t.TempDir(), platform: &platform{}}, name: "kill"}
	for number, resource := range slices.Sorted(maps.Keys(schema.ResourceSchemas)) {
		c := newCycle(number, "kill", resource, all)
		c.place = place{aProject, aBranch, anOrg, "5a1b2c3d-0000-4000-8000-000000000000", "m@example.com", "vpce-1"}
		k.lives = append(k.lives, c)
		attributes, before := map[string]bool{}, cty.NilVal
		for _, attribute := range schema.ResourceSchemas[resource].Block.Attributes {
			attributes[attribute.Name] = true
		}
		if c.of().Chaos.Becomes == nil && len(c.of().Versions(c.more())) == 1 {
			t.Errorf("%s: no attack changes it: becomes of its chaos block names the changes, or is [] for none", resource)
		}
		for version := range c.of().Versions(c.more()) {
			values, err := c.values(version)
			if err != nil {
				t.Fatalf("%s: %v", resource, err)
			}
			for name := range values {
				if !attributes[name] {
					t.Errorf("%s has no attribute %s", resource, name)
				}
			}
			config, err := c.configuration(schema.ResourceSchemas[resource], version)
			if err != nil || version > 0 && config.RawEquals(before) {
				t.Errorf("%s: version %d is %#v, as before (%v)", resource, version, config, err)
			}
			if strings.Contains(config.GoString(), "$") {
				t.Errorf("%s: version %d is %#v: nothing stands for a text with $", resource, version, config)
			}
			before = config
			value, err := planning.Encode(config)
			if err != nil {
				t.Fatal(err)
			}
			valid, err := server.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
				TypeName: resource, Config: value,
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
			})
			if words, failed := said(valid.Diagnostics); err != nil || failed != nil {
				t.Errorf("%s: version %d is refused: %s (%v)", resource, version, words, err)
			}
		}
	}
	if err := k.configure(1); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(k.folder, "main.tf"))
	for resource := range schema.ResourceSchemas {
		if err != nil || !strings.Contains(string(written), "resource \""+resource+"\" \"killed\" {") {
			t.Errorf("%s isn't in killed runs (%v)", resource, err)
		}
	}
}

// Each noun says where the emulated Neon lists its objects, and what errors call one whose creation was lost.
func TestVersions_areListed(t *testing.T) {
	t.Parallel()
	e, err := emulator.New(emulator.Config{})
	if err != nil {
		t.Fatal(err)
	}
	request, answer := httptest.NewRequest(http.MethodGet, "http://localhost/_emulator/objects", nil),
		httptest.NewRecorder()
	request.RemoteAddr = "127.0.0.1:1" // Nobody else sees the control path.
	e.ServeHTTP(answer, request)
	var lists map[string]any
	if err := json.Unmarshal(answer.Body.Bytes(), &lists); err != nil {
		t.Fatal(err)
	}
	for name, noun := range told() {
		if lists[noun.Chaos.Objects] == nil {
			t.Errorf("%s: the emulator lists no %q: name what its noun's file in internal/emulator shows", name,
				noun.Chaos.Objects)
		}
		if noun.Chaos.Called == "" && !noun.Chaos.Stays {
			t.Errorf("%s: called is what errors call one whose creation was lost", name)
		}
	}
}

// What deletes an object that an error has named is a call that Neon has.
func TestVersions_areDeleted(t *testing.T) {
	t.Parallel()
	e, err := emulator.New(emulator.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for name, noun := range told() {
		at := cmp.Or(noun.Chaos.Path, "/projects/{project_id}/"+noun.Chaos.Objects+"/{id}")
		method := http.MethodDelete
		if noun.Chaos.IsEmptied {
			method = http.MethodPut
		}
		answer := httptest.NewRecorder()
		e.ServeHTTP(answer, httptest.NewRequest(method, "http://localhost/api/v2"+inBraces.ReplaceAllString(at, "x"), nil))
		if isServed := answer.Code == http.StatusUnauthorized; !isServed && !noun.Chaos.Stays {
			t.Errorf("%s: %s %s is no call: path is the one that deletes it", name, method, at)
		}
	}
}

// What neither has twins nor siblings is played alone.
func TestCycles_alone(t *testing.T) {
	t.Parallel()
	report, err := Cycles{Conflicts: "none", Only: regexp.MustCompile("^neon_bucket_object$"), Count: 6, Seed: 1,
		Probability: 0.05, SideBySide: 8}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !report.Good() {
		var text strings.Builder
		report.Write(&text)
		t.Error(text.String())
	}
}

// What is in state decides whether a destroy only forgets, not what was asked for: another service may have stood in.
func TestCycle_isOnlyForgotten(t *testing.T) {
	t.Parallel()
	for engine, want := range map[string]bool{"instant": true, "claimable_neon": false} {
		c := newCycle(0, "n1", "neon_claimable_database", project{})
		c.current.value = cty.ObjectVal(map[string]cty.Value{"engine": cty.StringVal(engine)})
		if got := c.isOnlyForgotten(); got != want {
			t.Errorf("one of engine %s: %t", engine, got)
		}
	}
}

// Errors call what may have been created as its noun says. A provider that only reads refuses a creation in the words
// in which another one says that its answer was lost.
func TestVersions_areCalled(t *testing.T) {
	files := t.TempDir()
	if err := writeFiles(files); err != nil {
		t.Fatal(err)
	}
	p, err := startPlatform(newNetwork(t.Context()), emulator.Config{OperationDuration: operationDuration})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.close() })
	projects, err := p.makeProjects(t.Context(), 1, files)
	if err != nil {
		t.Fatal(err)
	}
	writer, err := newSession(t.Context(), p, p.APIKey)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("NEON_READ_ONLY", "1")
	reader, err := newSession(t.Context(), p, p.APIKey)
	if err != nil {
		t.Fatal(err)
	}
	for number, resource := range slices.Sorted(maps.Keys(told())) {
		c := newCycle(2*number, "called", resource, projects[0])
		if c.place, err = p.makePlace(t.Context(), c.of(), c.name+"-"+resource); err != nil {
			t.Fatal(err)
		}
		refusal := c.create(t.Context(), reader)
		if err := c.create(t.Context(), writer); err != nil {
			t.Fatalf("%s: %v", resource, err)
		}
		all, err := p.objects(t.Context())
		created := slices.IndexFunc(all, func(o object) bool { return o.id() == c.current.id() })
		if err != nil || created < 0 || refusal == nil {
			t.Fatalf("%s: %v is refused with %v (%v)", resource, c.current.id(), refusal, err)
		}
		if called := all[created].lostAs(); !strings.Contains(refusal.Error(), called+", would change something") {
			t.Errorf("%s: it isn't called %q in:\n%v", resource, called, refusal)
		}
	}
}
