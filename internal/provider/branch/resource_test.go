package branch_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// branchIs checks one attribute in state.
func branchIs(value knownvalue.Check, steps ...string) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(acctest.BranchAddress, branchPath(steps...), value)
}

func branchPath(steps ...string) tfjsonpath.Path {
	path := tfjsonpath.New(steps[0])
	for _, step := range steps[1:] {
		path = path.AtMapKey(step)
	}
	return path
}

// staysTheSame checks from step to step that a value doesn't change.
type staysTheSame struct {
	comparison interface {
		AddStateValue(resourceAddress string, attributePath tfjsonpath.Path) statecheck.StateCheck
	}
	path tfjsonpath.Path
}

func newStaysTheSame(steps ...string) staysTheSame {
	return staysTheSame{statecheck.CompareValue(compare.ValuesSame()), branchPath(steps...)}
}

func (s staysTheSame) check() statecheck.StateCheck {
	return s.comparison.AddStateValue(acctest.BranchAddress, s.path)
}

func TestAccBranch_everyAttribute(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "create-disabled", everyAttribute)
}

func everyAttribute(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	parent := w.MakeBranch(t, "parent")
	expires := acctest.InDays(7)
	config := w.BranchConfig(fmt.Sprintf(`
		name             = "everything"
		parent_id        = %q
		parent_timestamp = %q
		init_source      = "schema-only"
		expires_at       = %q
		timeouts         = { create = "1m", update = "1m", delete = "1m" }
		endpoints = {
			app = {
				type                     = "read_write"
				autoscaling_limit_min_cu = 0.5
				autoscaling_limit_max_cu = 2
				suspend_timeout_seconds  = 600
			}
			reports = {
				type                     = "read_only"
				autoscaling_limit_min_cu = 0.25
				autoscaling_limit_max_cu = 1
				suspend_timeout_seconds  = -1
				disabled                 = true
				name                     = "for reports"
			}
			spare = { type = "read_only" }
		}`, parent.ID, parent.CreatedAt.UTC().Format(time.RFC3339), expires))
	id, host := knownvalue.StringRegexp(regexp.MustCompile(`^ep-`)),
		knownvalue.StringRegexp(regexp.MustCompile(`^ep-[a-z0-9-]+\.`))
	pooler := knownvalue.StringRegexp(regexp.MustCompile(`^ep-[a-z0-9-]+-pooler\.`))
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config, plancheck.ResourceActionCreate,
				branchIs(knownvalue.StringExact(w.ProjectID), "project_id"),
				branchIs(knownvalue.StringRegexp(regexp.MustCompile(`^br-`)), "id"),
				branchIs(knownvalue.StringExact("everything"), "name"),
				branchIs(knownvalue.StringExact(parent.ID), "parent_id"),
				branchIs(knownvalue.StringExact(parent.CreatedAt.UTC().Format(time.RFC3339)), "parent_timestamp"),
				branchIs(knownvalue.StringExact("schema-only"), "init_source"),
				branchIs(knownvalue.Bool(false), "protected"),
				branchIs(knownvalue.Bool(false), "default"),
				branchIs(knownvalue.StringExact(expires), "expires_at"),
				branchIs(knownvalue.StringExact("ready"), "current_state"),
				branchIs(knownvalue.NotNull(), "created_at"),
				branchIs(knownvalue.MapExact(map[string]knownvalue.Check{
					"app": knownvalue.ObjectExact(map[string]knownvalue.Check{
						"type": knownvalue.StringExact("read_write"), "autoscaling_limit_min_cu": knownvalue.Float64Exact(0.5),
						"autoscaling_limit_max_cu": knownvalue.Float64Exact(2), "suspend_timeout_seconds": knownvalue.Int64Exact(600),
						"disabled": knownvalue.Bool(false), "name": knownvalue.Null(), "id": id, "host": host, "pooler_host": pooler,
					}),
					"reports": knownvalue.ObjectExact(map[string]knownvalue.Check{
						"type": knownvalue.StringExact("read_only"), "autoscaling_limit_min_cu": knownvalue.Float64Exact(0.25),
						"autoscaling_limit_max_cu": knownvalue.Float64Exact(1), "suspend_timeout_seconds": knownvalue.Int64Exact(-1),
						"disabled": knownvalue.Bool(true), "name": knownvalue.StringExact("for reports"),
						"id": id, "host": host, "pooler_host": pooler,
					}),
					"spare": knownvalue.ObjectPartial(map[string]knownvalue.Check{
						"type": knownvalue.StringExact("read_only"), "autoscaling_limit_min_cu": knownvalue.NotNull(),
						"autoscaling_limit_max_cu": knownvalue.NotNull(), "suspend_timeout_seconds": knownvalue.NotNull(), "id": id,
					}),
				}), "endpoints"),
			),
			acctest.Planned(config, plancheck.ResourceActionNoop),
		},
	})
	w.CheckOnly(t, "main", "parent")
}

func TestAccBranch_minimal(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(`name = "small"`), plancheck.ResourceActionCreate,
				branchIs(knownvalue.StringExact(w.MainBranch(t).ID), "parent_id"),
				branchIs(knownvalue.Null(), "endpoints"),
				branchIs(knownvalue.Null(), "expires_at"),
				branchIs(knownvalue.Bool(false), "protected")),
			// Endpoints that the configuration doesn't speak of are left alone.
			{
				PreConfig: func() { w.MakeEndpoint(t, w.BranchNamed(t, "small").ID, "read_write") },
				Config:    w.BranchConfig(`name = "small"`),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
				ConfigStateChecks: []statecheck.StateCheck{branchIs(knownvalue.Null(), "endpoints")},
			},
			acctest.Planned(w.BranchConfig(`name = "small"
				endpoints = {}`), plancheck.ResourceActionUpdate, branchIs(knownvalue.MapSizeExact(0), "endpoints")),
		},
	})
	w.CheckOnly(t, "main")
}

func TestAccBranch_parentLSN(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	lsn := w.MakeBranch(t, "probe").ParentLSN
	if lsn == "" {
		lsn = "0/1E88480"
	}
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"at\"\nparent_lsn = %q", lsn)), plancheck.ResourceActionCreate,
				branchIs(knownvalue.StringExact(lsn), "parent_lsn")),
			// Nor is another spelling of the same position a reason to replace anything, or what isn't configured any more.
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"at\"\nparent_lsn = %q", respelt(lsn))),
				plancheck.ResourceActionNoop,
				branchIs(knownvalue.StringExact(lsn), "parent_lsn")),
			acctest.Planned(w.BranchConfig(`name = "at"`), plancheck.ResourceActionNoop),
		},
	})
}

// respelt is the same position in other letters, and with a zero in front.
func respelt(lsn string) string { return "0" + strings.ToLower(lsn) }

func TestAccBranch_changesInPlace(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	sameID := newStaysTheSame("id")
	first, second := acctest.InDays(3), acctest.InDays(9)
	moment, err := time.Parse(time.RFC3339, second)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := moment.In(time.FixedZone("", 2*60*60)).Format(time.RFC3339)
	step := func(body string, checks ...statecheck.StateCheck) resource.TestStep {
		return acctest.Planned(w.BranchConfig(body), plancheck.ResourceActionUpdate, append(checks, sameID.check())...)
	}
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(`name = "one"`), plancheck.ResourceActionCreate, sameID.check()),
			step(`name = "two"`, branchIs(knownvalue.StringExact("two"), "name")),
			step("name = \"two\"\nprotected = true", branchIs(knownvalue.Bool(true), "protected")),
			step(fmt.Sprintf("name = \"two\"\nprotected = false\nexpires_at = %q", first),
				branchIs(knownvalue.Bool(false), "protected"), branchIs(knownvalue.StringExact(first), "expires_at")),
			step(fmt.Sprintf("name = \"two\"\nexpires_at = %q", second), branchIs(knownvalue.StringExact(second), "expires_at")),
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = \"two\"\nexpires_at = %q", elsewhere)),
				plancheck.ResourceActionNoop),
			step(`name = "two"`, branchIs(knownvalue.Null(), "expires_at")),
			step("name = \"two\"\ntimeouts = { update = \"5m\" }"),
		},
	})
}

func TestAccBranch_expiresAtKeepsItsWriting(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	written := time.Now().UTC().Truncate(time.Second).AddDate(0, 0, 5).Add(250 * time.Millisecond).
		In(time.FixedZone("", -5*60*60)).Format(time.RFC3339Nano)
	config := w.BranchConfig(fmt.Sprintf("name = \"b\"\nexpires_at = %q", written))
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config, plancheck.ResourceActionCreate, branchIs(knownvalue.StringExact(written), "expires_at")),
			acctest.Planned(config, plancheck.ResourceActionNoop),
		},
	})
}

func TestAccBranch_changesThatReplace(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "parent")
	other := w.MakeProject(t)
	otherID := statecheck.CompareValue(compare.ValuesDiffer())
	step := func(config string) resource.TestStep {
		return acctest.Planned(config, plancheck.ResourceActionReplace,
			otherID.AddStateValue(acctest.BranchAddress, tfjsonpath.New("id")))
	}
	moment := parent.CreatedAt.UTC().Format(time.RFC3339)
	fromParent := fmt.Sprintf("name = \"b\"\nparent_id = %q\n", parent.ID)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionCreate,
				otherID.AddStateValue(acctest.BranchAddress, tfjsonpath.New("id"))),
			step(w.BranchConfig(fromParent)),
			step(w.BranchConfig(fromParent + fmt.Sprintf("parent_timestamp = %q", moment))),
			step(w.BranchConfig(fromParent + `parent_lsn = "0/1E00000"`)),
			step(w.BranchConfig(fromParent + `init_source = "schema-only"`)),
			step(w.ConfigIn(other, `name = "b"`)),
		},
	})
	w.CheckOnly(t, "main", "parent")
}

func TestAccBranch_endpoints(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "create-disabled", endpointsOfABranch)
}

func endpointsOfABranch(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	branch, app := newStaysTheSame("id"), newStaysTheSame("endpoints", "app", "id")
	renamed := statecheck.CompareValue(compare.ValuesSame())
	reader, relabelled := statecheck.CompareValue(compare.ValuesSame()), statecheck.CompareValue(compare.ValuesDiffer())
	stats := newStaysTheSame("endpoints", "stats", "id")
	retyped := statecheck.CompareValue(compare.ValuesDiffer())
	step := func(endpoints string, checks ...statecheck.StateCheck) resource.TestStep {
		return acctest.Planned(w.BranchConfig("name = \"b\"\nendpoints = {"+endpoints+"}"), plancheck.ResourceActionUpdate,
			append(checks, branch.check())...)
	}
	at := func(label string) tfjsonpath.Path { return branchPath("endpoints", label, "id") }
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(`name = "b"
				endpoints = { app = { type = "read_write" } }`), plancheck.ResourceActionCreate, branch.check(), app.check()),
			// One more.
			step(`
				app = { type = "read_write" }
				ro  = { type = "read_only", autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 1 }`,
				app.check(), retyped.AddStateValue(acctest.BranchAddress, at("ro")),
				reader.AddStateValue(acctest.BranchAddress, at("ro"))),
			// Each setting changes in place.
			step(`
				app = { type = "read_write", autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 4 }
				ro  = { type = "read_only", autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 1 }`,
				app.check(), reader.AddStateValue(acctest.BranchAddress, at("ro")),
				branchIs(knownvalue.Float64Exact(4), "endpoints", "app", "autoscaling_limit_max_cu")),
			step(`
				app = { type = "read_write", suspend_timeout_seconds = 120, disabled = true, name = "first" }
				ro  = { type = "read_only", autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 1 }`,
				app.check(), renamed.AddStateValue(acctest.BranchAddress, at("app")),
				relabelled.AddStateValue(acctest.BranchAddress, at("ro")),
				branchIs(knownvalue.Float64Exact(4), "endpoints", "app", "autoscaling_limit_max_cu"),
				branchIs(knownvalue.Int64Exact(120), "endpoints", "app", "suspend_timeout_seconds"),
				branchIs(knownvalue.Bool(true), "endpoints", "app", "disabled"),
				branchIs(knownvalue.StringExact("first"), "endpoints", "app", "name")),
			// The read_write endpoint moves with its label. Another label for a read_only one is another endpoint.
			step(`
				web   = { type = "read_write", disabled = false }
				stats = { type = "read_only", autoscaling_limit_max_cu = 1 }`,
				renamed.AddStateValue(acctest.BranchAddress, at("web")),
				relabelled.AddStateValue(acctest.BranchAddress, at("stats")), stats.check(),
				branchIs(knownvalue.StringExact("first"), "endpoints", "web", "name")),
			// Another type is another endpoint.
			step(`
				web   = { type = "read_only" }
				stats = { type = "read_only" }`,
				retyped.AddStateValue(acctest.BranchAddress, at("web")), stats.check()),
			// One less.
			step(`stats = { type = "read_only" }`, stats.check(),
				branchIs(knownvalue.MapSizeExact(1), "endpoints")),
			// None.
			acctest.Planned(w.BranchConfig(`name = "b"`), plancheck.ResourceActionUpdate, branch.check(),
				branchIs(knownvalue.Null(), "endpoints")),
		},
	})
	checkNoEndpointsBut(t, w, w.MainBranch(t).ID)
}

func TestAccBranch_unknownValues(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	config := func(input string) string {
		return w.BranchConfig(`name = "b"
			endpoints = terraform_data.labels.output`) + fmt.Sprintf(`
			resource "terraform_data" "labels" { input = %s }`, input)
	}
	within := func(kind, smallest string) string {
		return w.BranchConfig(`name = "b"
			expires_at = terraform_data.expiry.output
			endpoints = {
				app = { type = terraform_data.kind.output, autoscaling_limit_min_cu = terraform_data.smallest.output,
					autoscaling_limit_max_cu = 2 }
				ro  = { type = "read_only" }
			}`) + fmt.Sprintf(`
			resource "terraform_data" "kind" { input = %q }
			resource "terraform_data" "smallest" { input = %s }
			resource "terraform_data" "expiry" { input = %q }`, kind, smallest, acctest.InDays(4))
	}
	same := statecheck.CompareValue(compare.ValuesSame())
	reader := statecheck.CompareValue(compare.ValuesSame())
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config(`{ app = { type = "read_write" } }`), plancheck.ResourceActionCreate,
				same.AddStateValue(acctest.BranchAddress, branchPath("endpoints", "app", "id"))),
			acctest.Planned(config(`{ app = { type = "read_write" }, ro = { type = "read_only" } }`),
				plancheck.ResourceActionUpdate,
				same.AddStateValue(acctest.BranchAddress, branchPath("endpoints", "app", "id")),
				reader.AddStateValue(acctest.BranchAddress, branchPath("endpoints", "ro", "id"))),
			acctest.Planned(within("read_write", "0.5"), plancheck.ResourceActionUpdate,
				same.AddStateValue(acctest.BranchAddress, branchPath("endpoints", "app", "id")),
				reader.AddStateValue(acctest.BranchAddress, branchPath("endpoints", "ro", "id"))),
			acctest.Planned(within("read_only", "1"), plancheck.ResourceActionUpdate,
				reader.AddStateValue(acctest.BranchAddress, branchPath("endpoints", "ro", "id"))),
		},
	})
}
