package walks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
	"github.com/seed-a7382548/terraform-provider-neon/internal/nouns"
)

// described is an attribute of a schema, whose name has dots where it is a nested one.
type described struct {
	*tfprotov6.SchemaAttribute

	// texts are its description and those of the objects that it is in, its own first.
	texts []string
}

func (d described) isComputed() bool { return !d.Optional && !d.Required }

// attributesOf returns all attributes, nested ones too.
func attributesOf(attributes []*tfprotov6.SchemaAttribute, within string, texts []string) map[string]described {
	found := map[string]described{}
	for _, attribute := range attributes {
		own := append([]string{attribute.Description}, texts...)
		found[within+attribute.Name] = described{attribute, own}
		if attribute.NestedType != nil {
			maps.Copy(found, attributesOf(attribute.NestedType.Attributes, within+attribute.Name+".", own))
		}
	}
	return found
}

// What descriptions say of a change. One that says nothing of it is made in place; "in place" stands
// where the object that the attribute is in is replaced by others.
var (
	saysInPlace  = regexp.MustCompile(`\bin place\b`)
	saysReplaces = regexp.MustCompile(`(?i)\b(any change|changing (it|this|a configured value)) replaces\b`)
	saysRefused  = regexp.MustCompile(`\bis an error\b`)
	saysFixed    = regexp.MustCompile(`(?i)\b(a later change|changing it later) is an error\b`)
)

// action returns what a change does by the description, or where that doesn't say it, by
// that of the object which the attribute is in, else in place; and whether some change is an error.
func (d described) action() (action plancheck.ResourceActionType, isRefused bool) {
	for _, text := range d.texts {
		isRefused = saysRefused.MatchString(text)
		inPlace, replaces := saysInPlace.MatchString(text), saysReplaces.MatchString(text)
		switch {
		case inPlace && replaces:
			return "", isRefused
		case inPlace:
			return plancheck.ResourceActionUpdate, isRefused
		case replaces:
			return plancheck.ResourceActionReplace, isRefused
		case saysFixed.MatchString(text):
			return plancheck.ResourceActionNoop, isRefused
		case isRefused:
			return plancheck.ResourceActionUpdate, isRefused
		}
	}
	return plancheck.ResourceActionUpdate, false
}

// Each attribute of each managed noun does in a plan what its description says of a change,
// and Neon has it after that. The plan after that is empty.
func TestAttributes_changeAsDescribed(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for noun, schema := range p.Schema.ResourceSchemas {
		attributes := attributesOf(schema.Block.Attributes, "", nil)
		for _, change := range acctest.NounResource(t, noun).Changes {
			if _, exists := attributes[change.Attribute]; !exists {
				t.Errorf("%s has no attribute %s", noun, change.Attribute)
			}
		}
		for name, attribute := range attributes {
			t.Run(noun+"."+name, func(t *testing.T) {
				t.Parallel()
				change, isListed := acctest.NounResource(t, noun).Change(name)
				switch action, isRefused := attribute.action(); {
				case attribute.isComputed():
					refusesValue(t, p, noun, name)
				case !isListed:
					t.Errorf("noun.hcl of %s has no change of it: a block change %q, with the lines before and after", noun, name)
				case action == "" || isRefused != (len(change.Refused) > 0):
					t.Errorf("the description says both of in place and replaces, or not what is an error: %s", attribute.Description)
				case change.Only == "":
					tryChange(t, noun, change, action)
				}
			})
		}
	}
}

// refusesValue checks that a configuration can't have a computed attribute.
func refusesValue(t *testing.T, p acctest.Protocol, noun, name string) {
	t.Helper()
	kind := p.Schema.ResourceSchemas[noun].ValueType()
	said, err := p.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: noun, Config: acctest.Dynamic(t, kind, valueAt(kind, strings.Split(name, "."))),
	})
	if err != nil {
		t.Fatal(err)
	}
	// It is shown at the attribute at the top, and says which one in that is meant. What is in a map or an object that is
	// read-only as a whole is refused with that.
	top, inside, _ := strings.Cut(name, ".")
	says := regexp.MustCompile(`^` + top + `((\["a"\])?\.` + regexp.QuoteMeta(inside) + `)?( =|:) `)
	for _, diagnostic := range said.Diagnostics {
		isThere := strings.HasPrefix(diagnostic.Attribute.String(), fmt.Sprintf("AttributeName(%q)", top))
		if strings.Contains(diagnostic.Summary, "Read-Only") && isThere &&
			(inside == "" || says.MatchString(diagnostic.Detail)) {
			return
		}
	}
	for _, diagnostic := range said.Diagnostics {
		t.Errorf("it can be configured: %v", *diagnostic)
	}
}

// What a plan chooses for an attribute that isn't configured, its description says.
func TestAttributes_sayTheirDefaults(t *testing.T) {
	t.Parallel()
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for noun, schema := range p.Schema.ResourceSchemas {
		kind := schema.ValueType()
		empty := acctest.Dynamic(t, kind, acctest.Object(kind, nil))
		planned, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: noun,
			PriorState: acctest.Dynamic(t, kind, tftypes.NewValue(kind, nil)), Config: empty, ProposedNewState: empty})
		if err != nil {
			t.Fatal(err)
		}
		state, err := planned.PlannedState.Unmarshal(kind)
		if err != nil {
			t.Fatal(err)
		}
		var chosen map[string]tftypes.Value
		if err := state.As(&chosen); err != nil {
			t.Fatal(err)
		}
		for name, attribute := range attributesOf(schema.Block.Attributes, "", nil) {
			value, isTop := chosen[name]
			if !isTop || attribute.isComputed() || value.IsNull() || !value.IsKnown() {
				continue
			}
			var text string
			if value.Type().Is(tftypes.Bool) {
				text = strconv.FormatBool(value.Equal(tftypes.NewValue(tftypes.Bool, true)))
			} else if err := value.As(&text); err != nil {
				t.Fatal(err)
			}
			says := "(Defaults to|Neon's default is) (`" + regexp.QuoteMeta(text) + "`|the provider's)"
			if !regexp.MustCompile(says).MatchString(attribute.Description) {
				t.Errorf("%s.%s becomes %v, of which its description doesn't say %q", noun, name, value, says)
			}
		}
	}
}

// valueAt is an object with a value at a path and nothing else.
func valueAt(kind tftypes.Type, path []string) tftypes.Value {
	switch kind := kind.(type) {
	case tftypes.Object:
		return acctest.Object(kind, map[string]tftypes.Value{path[0]: valueAt(kind.AttributeTypes[path[0]], path[1:])})
	case tftypes.Map:
		if len(path) == 0 {
			return tftypes.NewValue(kind, map[string]tftypes.Value{})
		}
		return tftypes.NewValue(kind, map[string]tftypes.Value{"a": valueAt(kind.ElementType, path)})
	case tftypes.List, tftypes.Set:
		return tftypes.NewValue(kind, []tftypes.Value{})
	}
	switch {
	case kind.Is(tftypes.Bool):
		return tftypes.NewValue(kind, true)
	case kind.Is(tftypes.Number):
		return acctest.Number(1)
	default:
		return acctest.Text("2026-01-01T00:00:00Z")
	}
}

func tryChange(t *testing.T, noun string, change nouns.Change, action plancheck.ResourceActionType) {
	t.Helper()
	start := startQuick
	if change.After.Has("seed") {
		start = acctest.StartDatabases
	}
	w := newChangeWorld(t, start)
	config := func(lines nouns.Lines) string { return w.config(t, noun, lines) }
	address := noun + ".test"
	steps := []resource.TestStep{{Config: config(change.Before)}, {
		Config: config(change.After), ConfigPlanChecks: acctest.ExpectAction(address, action),
		ConfigStateChecks: []statecheck.StateCheck{acctest.After(func(state acctest.State) error {
			return w.has(t, noun, change.Check(w.texts), state.Texts(address))
		})},
	}}
	if len(change.Refused) > 0 {
		steps = append(steps,
			resource.TestStep{Config: config(change.Refused), ExpectError: regexp.MustCompile(".")},
			resource.TestStep{Config: config(change.After), PlanOnly: true})
	}
	runHere(t, w, steps...)
}

// runHere runs steps in this process even where others run in terraform, for these are many.
func runHere(t *testing.T, w changeWorld, steps ...resource.TestStep) {
	t.Helper()
	if err := inprocess.Run(t.Context(), resource.TestCase{ProtoV6ProviderFactories: w.Factories(),
		Steps: steps}); err != nil {
		t.Error(err)
	}
}

func startQuick(t *testing.T) *acctest.World {
	t.Helper()
	return acctest.StartEmulator(t, emulator.Config{OperationDuration: time.Millisecond})
}

// changeWorld is a Neon with two of what attributes can refer to.
type changeWorld struct {
	*acctest.BranchWorld

	texts *strings.Replacer
}

func newChangeWorld(t *testing.T, start func(*testing.T) *acctest.World) changeWorld {
	t.Helper()
	started := start(t)
	w := &acctest.BranchWorld{World: started, API: started.Client(t)}
	otherOrg := w.MakeOrganization(t, "scale")
	w.Advance(t, time.Hour)
	w.AssignVPCEndpoints(t, "vpce-0a1", "vpce-0b2")
	main, other, otherProject := w.MainBranch(t), w.MakeBranch(t, "other"), w.MakeProject(t)
	operations, err := client.OperationsOf(w.API.CreateRole(t.Context(), w.Ref(main.ID),
		client.RoleCreate{Name: "somebody"}))
	w.Settle(t, operations, err)
	operations, err = client.OperationsOf(w.API.CreateDatabase(t.Context(), w.Ref(main.ID),
		client.DatabaseCreate{Name: "other", OwnerName: "somebody"}))
	w.Settle(t, operations, err)
	member, _ := w.AddMember(t, "max@example.com", "collaborator")
	eve, _ := w.AddMember(t, "eve@example.com", "collaborator")
	otherMain, err := first(w.API.ListBranches(t.Context(), otherProject, client.BranchQuery{}))
	if err != nil {
		t.Fatal(err)
	}
	at := func(after time.Duration) string {
		return main.CreatedAt.UTC().Truncate(time.Second).Add(after).Format(time.RFC3339)
	}
	enabled := map[string]string{"$authed": w.MakeBranch(t, "authed").ID, "$rooted": w.MakeRoot(t, "rooted").ID}
	elsewhere, err := w.API.CreateBranch(t.Context(), otherProject, client.BranchCreate{Name: "authed"})
	if err == nil {
		err = w.API.WaitForOperations(t.Context(), otherProject, elsewhere.Operations)
	}
	w.Settle(t, nil, err)
	enabled["$elsewhere"] = elsewhere.Object.ID
	for name, branchID := range enabled {
		_, err := w.API.EnableAuth(t.Context(), client.BranchRef{ProjectID: map[bool]string{true: otherProject,
			false: w.ProjectID}[name == "$elsewhere"], ID: branchID}, client.AuthEnable{Provider: "better_auth"})
		w.Settle(t, nil, err)
	}
	for _, at := range [][3]string{
		{w.ProjectID, main.ID, "media"}, {w.ProjectID, main.ID, "other"}, {w.ProjectID, other.ID, "media"}, {otherProject, otherMain.ID, "media"},
	} {
		_, err := w.API.CreateBucket(t.Context(), client.BranchRef{ProjectID: at[0], ID: at[1]}, at[2], "")
		w.Settle(t, nil, err)
	}
	for _, at := range [][3]string{
		{w.ProjectID, main.ID, "api"}, {w.ProjectID, main.ID, "web"}, {w.ProjectID, other.ID, "api"}, {otherProject, otherMain.ID, "api"},
	} {
		w.MakeFunction(t, client.BranchRef{ProjectID: at[0], ID: at[1]}, at[2])
	}
	return changeWorld{w, strings.NewReplacer(
		"$authed", enabled["$authed"], "$rooted", enabled["$rooted"], "$elsewhere", enabled["$elsewhere"],
		"$max", member, "$eve", eve, "$other_org", otherOrg, "$org", w.OrgID, "$other_project", otherProject, "$project",
		w.ProjectID,
		"$other_branch", other.ID, "$other_main", otherMain.ID, "$root", w.MakeRoot(t, "root").ID, "$main", main.ID,
		"$earlier", at(time.Minute), "$later", at(2*time.Minute), "$tomorrow", at(25*time.Hour), "$overmorrow",
		at(49*time.Hour),
		"$file", script(t), "$other_file", script(t), "$code", acctest.CodeFolder(t, "1"), "$other_code",
		acctest.CodeFolder(t, "2"),
	)}
}

func script(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "seed.sql")
	if err := os.WriteFile(path, []byte("SELECT 1;"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// first returns the first of what a list yields.
func first[T any](list func(func(T, error) bool)) (found T, err error) {
	list(func(each T, problem error) bool {
		found, err = each, problem
		return false
	})
	return found, err
}

// config has the lines that a noun needs, but for those which are given anew.
func (w changeWorld) config(t *testing.T, noun string, lines nouns.Lines) string {
	t.Helper()
	return w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID)) +
		fmt.Sprintf("resource %q \"test\" {\n%s\n}\n", noun, w.lines(t, noun, lines))
}

// lines are the lines of config's block.
func (w changeWorld) lines(t *testing.T, noun string, lines nouns.Lines) string {
	t.Helper()
	return w.texts.Replace(acctest.NounResource(t, noun).Needs.With(lines).String())
}

var inBraces = regexp.MustCompile(`\{[^}]+\}`)

// has checks a field of what Neon says.
func (w changeWorld) has(t *testing.T, noun string, check nouns.Check, attributes map[string]string) error {
	t.Helper()
	if check.Field == "" {
		return nil
	}
	resource, attribute := acctest.NounResource(t, noun), func(name string) string { return attributes[name] }
	if resource.At == "" && !strings.HasPrefix(check.Field, "/") {
		return fmt.Errorf("noun.hcl of %s lacks at: the call that returns one, and where its answer has it", noun)
	}
	path, within := resource.Place(check.Field, attribute)
	var answer any
	decoder := json.NewDecoder(bytes.NewReader(w.Request(t, http.MethodGet, path, nil)))
	decoder.UseNumber()
	if err := decoder.Decode(&answer); err != nil {
		return err
	}
	if got := resource.In(answer, within, attribute); !nouns.Matches(got, check.Want) {
		return fmt.Errorf("%s of %s is %v on Neon; want %s. Where Neon has it otherwise, noun.hcl says so: by places under "+
			"another name, by unreturned or local not at all", within, path, got, check.Says())
	}
	return nil
}

// Where another has the place that an object is to be moved to, the plan refuses to replace it, or the place is shared.
func TestAttributes_replaceNothingWhereTaken(t *testing.T) {
	t.Parallel()
	for noun, resource := range acctest.NounResources(t) {
		for _, change := range resource.Changes {
			isMove := slices.Contains([]string{"project_id", "branch_id", "org_id"}, change.Attribute)
			if !isMove || change.Only != "" || resource.GoesFirst != "" {
				continue
			}
			t.Run(noun+"."+change.Attribute, func(t *testing.T) {
				t.Parallel()
				movesToWhatIsTaken(t, noun, change)
			})
		}
	}
}

// movesToWhatIsTaken moves an object to where another one is. Where that is refused, the plan of what was there before
// is empty.
func movesToWhatIsTaken(t *testing.T, noun string, change nouns.Change) {
	t.Helper()
	run := func(isRefused bool) error {
		w := newChangeWorld(t, startQuick)
		other := fmt.Sprintf("resource %q \"other\" {\n%s\n}\n", noun, w.lines(t, noun, change.After))
		steps := []resource.TestStep{{Config: w.config(t, noun, change.Before) + other},
			{Config: w.config(t, noun, change.After) + other}}
		if isRefused {
			steps[1].ExpectError = regexp.MustCompile(".")
			steps = append(steps, resource.TestStep{Config: steps[0].Config, PlanOnly: true})
		}
		return inprocess.Run(t.Context(), resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: steps})
	}
	if err := run(false); err == nil || strings.HasPrefix(err.Error(), "step 1 of") {
		return // It is no conflict, or nothing can have the place.
	}
	if err := run(true); err != nil {
		t.Errorf("%v\nNeon refuses it only after what it replaces is deleted: the plan looks first by IsExclusive of kit.Resource or "+
			"by kit.CheckReplacement, or goes_first in noun.hcl says why it needn't", err)
	}
}

// toldByTheCreation are nouns of which the plan doesn't look whether one is there: each is read by requests of its own,
// or isn't known by what is configured.
var toldByTheCreation = []string{"neon_auth", "neon_data_api", "neon_branch_backup_schedule", "neon_org_spending_limit",
	"neon_org_invitation", "neon_project_permission", "neon_trigger", "neon_snapshot"}

// takenBy is what has Neon refuse a second object that may have the first one's other attributes.
var takenBy = map[string]nouns.Lines{"neon_snapshot": {{Name: "slug", Value: `"a"`}}}

// What the creation is refused for, since it is there already, the plan warns of, with the block that imports it.
func TestAttributes_tellWhatIsThereAlready(t *testing.T) {
	t.Parallel()
	for noun := range acctest.NounResources(t) {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w := newCalledWorld(t)
			config, address := w.config(t, noun, takenBy[noun]), noun+".test"
			isOfNone := false
			factory := func() (tfprotov6.ProviderServer, error) {
				server, err := w.Factories()["neon"]()
				return blamingServer{server, &isOfNone}, err
			}
			start := func() *inprocess.Foresight {
				f, err := inprocess.NewForesight(t.Context(), factory, config)
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
			warned := func(f *inprocess.Foresight) string {
				planned, err := f.Plan(t.Context(), config, address)
				if err != nil {
					t.Fatal(err)
				}
				return strings.Join(planned.Warnings, "\n")
			}
			block := fmt.Sprintf("import {\n  to = %s.NAME", noun)
			first := start()
			if said := warned(first); strings.Contains(said, block) {
				t.Errorf("what isn't there is told: %s", said)
			}
			if err := first.Apply(t.Context(), config); err != nil {
				t.Fatal(err)
			}
			second := start()
			said := warned(second)
			err := second.Apply(t.Context(), config)
			if isOfNone {
				t.Errorf("the refusal is of no attribute: %v", err)
			}
			isTold := err != nil && strings.Contains(err.Error(), block) && !slices.Contains(toldByTheCreation, noun)
			if strings.Contains(said, block) != isTold {
				t.Errorf("the apply says: %v\nand the plan: %s", err, said)
			}
			if !isTold {
				return
			}
			// Before Terraform 1.16, no other module has import blocks. And another workspace may have the object.
			for _, words := range []string{"in the root module, where " + noun + ".NAME stands for the address",
				"Don't import what another state manages"} {
				if !strings.Contains(said, words) || !strings.Contains(err.Error(), words) {
					t.Errorf("%q isn't in both, the plan: %s\nand the apply: %v", words, said, err)
				}
			}
		})
	}
}

// blamingServer notes whether an error of an apply is of no attribute, so that Terraform shows no line of it.
type blamingServer struct {
	tfprotov6.ProviderServer

	isOfNone *bool
}

func (s blamingServer) ApplyResourceChange(
	ctx context.Context, request *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	applied, err := s.ProviderServer.ApplyResourceChange(ctx, request)
	if err == nil && slices.ContainsFunc(applied.Diagnostics, func(said *tfprotov6.Diagnostic) bool {
		return said.Severity == tfprotov6.DiagnosticSeverityError && len(said.Attribute.Steps()) == 0
	}) {
		*s.isOfNone = true
	}
	return applied, err
}

// Of two resources of one plan that can't both be created, the plan of the second warns.
func TestAttributes_tellTwoOfOneName(t *testing.T) {
	t.Parallel()
	for noun := range acctest.NounResources(t) {
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w := newCalledWorld(t)
			config := w.config(t, noun, nil)
			_, resources, _ := strings.Cut(config, "resource ")
			both := config + "resource " + strings.Replace(resources, `"test"`, `"twin"`, 1)
			f, err := inprocess.NewForesight(t.Context(), w.Factories()["neon"], config)
			if err != nil {
				t.Fatal(err)
			}
			isTold := map[string]bool{}
			for _, name := range []string{"test", "twin"} {
				planned, err := f.Plan(t.Context(), both, noun+"."+name)
				if err != nil {
					t.Fatal(err)
				}
				isTold[name] = strings.Contains(strings.Join(planned.Warnings, "\n"), "Another resource of this configuration is for the same")
			}
			err = f.Apply(t.Context(), both)
			isNone := err == nil && noun != "neon_org_invitation" // Neon may invite somebody twice at once.
			if isTold["test"] || isTold["twin"] == isNone {
				t.Errorf("the plan tells %v, and the apply: %v", isTold, err)
			}
		})
	}
}

type replacedInVain struct {
	noun          string
	before, after nouns.Lines
	want          string
}

// What Neon would refuse to create is refused before what it is to replace is deleted.
func TestAttributes_replaceNothingInVain(t *testing.T) {
	t.Parallel()
	line := func(name, value string) nouns.Line { return nouns.Line{Name: name, Value: value} }
	tests := map[string]replacedInVain{
		"a second read_write endpoint": {"neon_endpoint", nouns.Lines{line("branch_id", `"$main"`), line("type", `"read_only"`)},
			nouns.Lines{line("branch_id", `"$main"`), line("type", `"read_write"`)},
			"the other's changes. Where two resources only change places"},
		"a name that another branch has": {"neon_branch", nil,
			nouns.Lines{line("project_id", `"$other_project"`), line("name", `"authed"`)}, "The name is taken"},
		"a key of an organization that isn't there":            {"neon_org_api_key", nil, nouns.Lines{line("org_id", `"org-none-such-12345678"`)}, "No such organization"},
		"an endpoint of an organization that isn't there":      {"neon_vpc_endpoint_assignment", nil, nouns.Lines{line("org_id", `"org-none-such-12345678"`)}, "No such organization"},
		"a spending limit of an organization that isn't there": {"neon_org_spending_limit", nil, nouns.Lines{line("org_id", `"org-none-such-12345678"`)}, "No such organization"},
		"a role in another organization":                       {"neon_org_member_role", nil, nouns.Lines{line("org_id", `"$other_org"`)}, "has no member"},
		"a role of nobody in an organization": {"neon_org_member_role", nil,
			nouns.Lines{line("member_id", "null"), line("email", `"none@example.com"`)}, "has no member none@example.com"},
		"a role of nobody in a project": {"neon_project_member_role", nil,
			nouns.Lines{line("member_id", `"0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"`)}, "has no member"},
		"a restriction to an endpoint that isn't assigned": {"neon_vpc_endpoint_restriction", nil,
			nouns.Lines{line("vpc_endpoint_id", `"vpce-0none"`)}, "has no VPC endpoint"},
		"an object of a bucket that isn't there":   {"neon_bucket_object", nil, nouns.Lines{line("bucket_name", `"none"`)}, "No such bucket"},
		"an object on a branch without the bucket": {"neon_bucket_object", nil, nouns.Lines{line("branch_id", `"$rooted"`)}, "No such bucket"},
		"a domain of a function that isn't there":  {"neon_custom_domain", nil, nouns.Lines{line("function_slug", `"none"`)}, "No such function"},
		"a domain on a branch without the function": {"neon_custom_domain", nil,
			nouns.Lines{line("branch_id", `"$rooted"`)}, "No such function"},
		"a trigger on a branch without the function": {"neon_trigger", nil, nouns.Lines{line("branch_id", `"$rooted"`)}, "No such function"},
		"a database on a branch without the owner": {"neon_database", nouns.Lines{line("owner_name", `"somebody"`)},
			nouns.Lines{line("owner_name", `"somebody"`), line("branch_id", `"$other_branch"`)}, "No such role"},
		"a domain on a branch without Neon Auth": {"neon_auth_trusted_domain", nil,
			nouns.Lines{line("branch_id", `"$other_branch"`)}, "doesn't have Neon Auth"},
		"an OAuth provider on a branch without Neon Auth": {"neon_auth_oauth_provider", nil,
			nouns.Lines{line("branch_id", `"$other_branch"`)}, "doesn't have Neon Auth"},
	}
	p := acctest.NewProtocol(t, acctest.StartEmulator(t, emulator.Config{}))
	for noun, schema := range p.Schema.ResourceSchemas {
		for _, moment := range optional(schema, "timestamp") {
			tests[noun+" without history"] = replacedInVain{noun, nouns.Lines{line(moment, `"$earlier"`)},
				nouns.Lines{line(moment, `"2020-01-01T00:00:00Z"`)}, "No history of that moment"}
		}
		for _, parent := range optional(schema, "parent_id") {
			before := nouns.Lines{line(parent, `"$other_branch"`)}
			after := before.With(nouns.Lines{line("project_id", `"$other_project"`)})
			tests[noun+" of a parent that is elsewhere"] = replacedInVain{noun, before, after,
				"Unable to create a branch from this parent"}
		}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			before := w.config(t, test.noun, test.before)
			runHere(t, w, resource.TestStep{Config: before},
				resource.TestStep{Config: w.config(t, test.noun, test.after), ExpectError: acctest.InWords(test.want)},
				resource.TestStep{Config: before, PlanOnly: true})
		})
	}
}

// optional are the attributes of a schema that a configuration may have, whose names end so.
func optional(schema *tfprotov6.Schema, suffix string) (names []string) {
	for _, attribute := range schema.Block.Attributes {
		if attribute.Optional && strings.HasSuffix(attribute.Name, suffix) {
			names = append(names, attribute.Name)
		}
	}
	return names
}

// A moment is past when it is by Neon's clock, which may be ahead of this machine's.
func TestAttributes_momentsByNeonsClock(t *testing.T) {
	t.Parallel()
	w := newCalledWorld(t)
	w.Advance(t, time.Hour)
	p := acctest.NewProtocol(t, w.World)
	for name, schema := range p.Schema.ResourceSchemas {
		for _, moment := range optional(schema, "timestamp") {
			w.tellsFuture(t, fmt.Sprintf("resource %q \"test\" {\n%s", name, w.lines(t, name, nil)), moment)
		}
	}
	for name, schema := range p.Schema.DataSourceSchemas {
		block := fmt.Sprintf("data %q \"test\" {\n", name)
		for _, attribute := range schema.Block.Attributes {
			if attribute.Required {
				block += fmt.Sprintf("%s = %q\n", attribute.Name, w.of(attribute.Name))
			}
		}
		for _, moment := range optional(schema, "timestamp") {
			w.tellsFuture(t, block, moment)
		}
	}
}

// tellsFuture plans a block with a moment of the past, and with one of the future, which is to be refused.
func (w changeWorld) tellsFuture(t *testing.T, block, moment string) {
	t.Helper()
	for later, want := range map[time.Duration]bool{30 * time.Minute: false, 10000 * time.Hour: true} {
		config := w.ProviderConfig() + fmt.Sprintf("%s\n  %s = %q\n}\n", block, moment,
			time.Now().Add(later).UTC().Format(time.RFC3339))
		_, err := inprocess.RunCommand(t.Context(), w.Factories()["neon"], config, []string{"plan"})
		if isFuture := err != nil && strings.Contains(err.Error(), "A moment in the future"); isFuture != want {
			t.Errorf("%s, %s later: %v", block, later, err)
		}
	}
}

// An expiry is past, or too far ahead, when it is by Neon's clock.
func TestAttributes_expiriesByNeonsClock(t *testing.T) {
	t.Parallel()
	w := newCalledWorld(t)
	w.Advance(t, time.Hour)
	p := acctest.NewProtocol(t, w.World)
	for name, schema := range p.Schema.ResourceSchemas {
		for _, expiry := range optional(schema, "expires_at") {
			w.tellsExpired(t, name, expiry)
		}
	}
}

// tellsExpired creates a noun that expires before Neon's clock, and one that expires after it.
func (w changeWorld) tellsExpired(t *testing.T, name, expiry string) {
	t.Helper()
	for later, want := range map[time.Duration]string{
		30 * time.Minute:                 expiry + " is ", // half an hour ago
		30*24*time.Hour + 30*time.Minute: "",
	} {
		config := w.ProviderConfig() + fmt.Sprintf("resource %q \"test\" {\n%s\n  %s = %q\n}\n", name,
			w.lines(t, name, nil), expiry, time.Now().Add(later).UTC().Format(time.RFC3339))
		rest, err := inprocess.RunCommand(t.Context(), w.Factories()["neon"], config, []string{"apply"})
		if said := fmt.Sprint(err); (err != nil) != (want != "") || !strings.Contains(said, want) {
			t.Errorf("%s that expires %s later: %v", name, later, err)
		}
		if err := rest(); err != nil {
			t.Error(err)
		}
	}
}

// What a replacement needs may be created by the same run, where it refers to that.
func TestAttributes_replacesByWhatComesAlong(t *testing.T) {
	t.Parallel()
	inBranch := func(branchID string) string {
		return "\nproject_id = \"$project\"\n branch_id = \"" + branchID + "\"\n"
	}
	for name, test := range map[string]struct {
		noun, other string
		after       nouns.Lines
	}{
		"an object of a bucket": {"neon_bucket_object", `resource "neon_bucket" "b" {` + inBranch("$main") + "name = \"b\"\n}",
			nouns.Lines{{Name: "bucket_name", Value: "neon_bucket.b.name"}}},
		"a domain of a function": {"neon_custom_domain",
			`resource "neon_function" "b" {` + inBranch("$main") + "slug = \"b\"\n source = \"$code\"\n}",
			nouns.Lines{{Name: "function_slug", Value: "neon_function.b.slug"}}},
		"a database of a role": {"neon_database", `resource "neon_role" "b" {` + inBranch("$other_branch") + "name = \"b\"\n}",
			nouns.Lines{{Name: "branch_id", Value: `"$other_branch"`}, {Name: "owner_name", Value: "neon_role.b.name"}}},
		"a trusted domain of Neon Auth": {"neon_auth_trusted_domain", `resource "neon_auth" "b" {` + inBranch("$other_branch") + "}",
			nouns.Lines{{Name: "branch_id", Value: "neon_auth.b.branch_id"}}},
		"a restriction to an assigned endpoint": {"neon_vpc_endpoint_restriction", "resource \"neon_vpc_endpoint_assignment\" \"b\" {\n" +
			"region_id = \"aws-us-east-2\"\n vpc_endpoint_id = \"vpce-0d4\"\n deletion_protection = false\n}",
			nouns.Lines{{Name: "vpc_endpoint_id", Value: "neon_vpc_endpoint_assignment.b.vpc_endpoint_id"}}},
		"a role of somebody who is invited": {"neon_org_member_role", "resource \"neon_org_invitation\" \"b\" {\n" +
			"email = \"known@example.com\"\n role = \"viewer\"\n}",
			nouns.Lines{{Name: "member_id", Value: "null"}, {Name: "email", Value: "neon_org_invitation.b.email"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			known, _ := w.AddMember(t, "known@example.com", "viewer")
			w.RemoveMember(t, known) // The account stays.
			runHere(t, w, resource.TestStep{Config: w.config(t, test.noun, nil)}, resource.TestStep{
				Config:           w.config(t, test.noun, test.after) + w.texts.Replace(test.other) + "\n",
				ConfigPlanChecks: acctest.ExpectAction(test.noun+".test", plancheck.ResourceActionReplace),
			})
		})
	}
}

// An import whose configuration leaves out whatever it may replaces nothing.
func TestAttributes_importsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	for noun, its := range acctest.NounResources(t) {
		if len(its.Identity) == 0 {
			continue
		}
		t.Run(noun, func(t *testing.T) {
			t.Parallel()
			w := newChangeWorld(t, startQuick)
			address, id := noun+".test", []string{}
			forgotten := w.ProviderConfigWith(w.APIKey, "") + "removed {\n from = " + address +
				"\n lifecycle {\n destroy = false\n }\n}\n"
			runHere(t, w, resource.TestStep{Config: w.config(t, noun, its.Whole), ConfigStateChecks: []statecheck.StateCheck{
				acctest.After(func(state acctest.State) error {
					for _, part := range its.Identity {
						id = append(id, state.Texts(address)[part])
					}
					return nil
				})}}, resource.TestStep{Config: forgotten})
			if t.Failed() {
				return
			}
			config := w.config(t, noun, nil)
			runHere(t, w, resource.TestStep{
				Config:           config + fmt.Sprintf("import {\n to = %s\n id = %q\n}\n", address, strings.Join(id, "/")),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{deletesNothing{}}},
			}, resource.TestStep{Config: config, PlanOnly: true}, resource.TestStep{Config: forgotten})
		})
	}
}

// deletesNothing is a check of a plan.
type deletesNothing struct{}

func (deletesNothing) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, change := range req.Plan.ResourceChanges {
		if change.Change.Actions.Replace() || change.Change.Actions.Delete() {
			resp.Error = fmt.Errorf("the plan replaces %s because of %v", change.Address, change.Change.ReplacePaths)
		}
	}
}
