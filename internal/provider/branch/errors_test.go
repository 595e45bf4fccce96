package branch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestAccBranch_errorsAtPlan(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	endpoint := func(settings string) string {
		return `name = "b"
			endpoints = { app = { type = "read_write", ` + settings + ` } }`
	}
	for name, test := range map[string]struct{ body, want string }{
		"two read_write endpoints": {
			"name = \"b\"\nendpoints = { a = { type = \"read_write\" }, b = { type = \"read_write\" } }",
			"More than one read_write endpoint",
		},
		"unknown type of endpoint": {
			"name = \"b\"\nendpoints = { a = { type = \"write_only\" } }", `endpoints["a"].type value must be one of`,
		},
		"minimum above maximum":  {endpoint("autoscaling_limit_min_cu = 2, autoscaling_limit_max_cu = 1"), "Autoscaling minimum above the maximum"},
		"minimum too small":      {endpoint("autoscaling_limit_min_cu = 0.1"), "at least 0.25"},
		"suspend timeout of 59":  {endpoint("suspend_timeout_seconds = 59"), "suspend_timeout_seconds"},
		"suspend timeout of -2":  {endpoint("suspend_timeout_seconds = -2"), "suspend_timeout_seconds"},
		"suspend timeout above":  {endpoint("suspend_timeout_seconds = 604801"), "suspend_timeout_seconds"},
		"endpoint name empty":    {endpoint(`name = ""`), "between 1 and 64"},
		"endpoint name too long": {endpoint(fmt.Sprintf("name = %q", strings.Repeat("x", 65))), "between 1 and 64"},
		"log position together with timestamp": {
			"name = \"b\"\nparent_lsn = \"0/1\"\nparent_timestamp = \"2024-01-01T00:00:00Z\"",
			`"parent_timestamp" cannot be specified when`,
		},
		"log position of a wrong form": {"name = \"b\"\nparent_lsn = \"here\"", "must be a log position"},
		"timestamp of a wrong form":    {"name = \"b\"\nparent_timestamp = \"yesterday\"", "moment in RFC 3339"},
		"expiry of a wrong form":       {"name = \"b\"\nexpires_at = \"tomorrow\"", "moment in RFC 3339"},
		"expiry too far ahead":         {fmt.Sprintf("name = \"b\"\nexpires_at = %q", acctest.InDays(31)), "Expiry too far ahead"},
		"expiry of a protected branch": {
			fmt.Sprintf("name = \"b\"\nprotected = true\nexpires_at = %q", acctest.InDays(3)), "Protected branches can't expire",
		},
		"no name":                    {`name = ""`, "between 1 and 256"},
		"a name too long":            {fmt.Sprintf("name = %q", strings.Repeat("x", 257)), "between 1 and 256"},
		"parent that can't be an id": {"name = \"b\"\nparent_id = \"Main Branch\"", "parent_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: w.BranchConfig(test.body), Command: acctest.Plan,
				Want: acctest.InWords(test.want)})
		})
	}
	t.Run("project that can't be an id", func(t *testing.T) {
		t.Parallel()
		w.Refuses(t, acctest.Refusal{Config: w.ConfigIn("My Project", `name = "b"`), Command: acctest.Plan,
			Want: acctest.InWords("project_id")})
	})
}

func TestAccBranch_longestName(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(w.BranchConfig(fmt.Sprintf("name = %q", strings.Repeat("é", 256))), plancheck.ResourceActionCreate),
		},
	})
}

func TestAccBranch_limitsAgainstWhatIsKept(t *testing.T) {
	w := acctest.NewBranchWorld(t)
	config := func(settings string) string {
		return w.BranchConfig(`name = "b"
			endpoints = { app = { type = "read_write", ` + settings + ` } }`)
	}
	parallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			acctest.Planned(config("autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 2"),
				plancheck.ResourceActionCreate),
			{Config: config("autoscaling_limit_min_cu = 4"), PlanOnly: true, ExpectError: acctest.InWords("Autoscaling minimum above the maximum")},
			acctest.Planned(config("autoscaling_limit_min_cu = 2"), plancheck.ResourceActionUpdate,
				branchIs(knownvalue.Float64Exact(2), "endpoints", "app", "autoscaling_limit_max_cu")),
		},
	})
}

func TestAccBranch_errorsAtApply(t *testing.T) {
	t.Parallel()
	acctest.EachReading(t, "missing-parent", errorsAtApply)
}

func errorsAtApply(t *testing.T, played emulator.Config) {
	t.Helper()
	w := acctest.BranchWorldOf(t, played)
	taken := w.MakeBranch(t, "taken")
	for name, test := range map[string]struct {
		config string
		want   string
	}{
		"a parent that isn't there":  {w.BranchConfig("name = \"b\"\nparent_id = \"br-not-there-12345678\""), "Unable to create a branch from this parent"},
		"a project that isn't there": {w.ConfigIn("not-there-12345678", `name = "b"`), "Unable to read project"},
		"no API key":                 {withKey(w, ""), "No API key"},
		"a wrong API key":            {withKey(w, "napi_wrong"), "mistyped, expired or revoked"},
		"a name that is taken":       {w.BranchConfig(`name = "taken"`), `If another resource of this configuration has that name, or has it until it is replaced or renamed in this run, choose another name`},
		"what it is imported with":   {w.BranchConfig(`name = "taken"`), `import { to = neon_branch.NAME id = "` + w.ProjectID + "/" + taken.ID + `" }`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w.Refuses(t, acctest.Refusal{Config: test.config, Want: acctest.InWords(test.want)})
		})
	}
}

// A replacement that is created first finds the name taken by the branch that it would
// replace. That is an error, and the branch stays.
func TestAccTerraform_createBeforeDestroyKeepsTheBranch(t *testing.T) {
	t.Parallel()
	w := acctest.NewBranchWorld(t)
	parent := w.MakeBranch(t, "parent")
	config := func(body string) string {
		return w.BranchConfig("name = \"b\"\n lifecycle { create_before_destroy = true }\n" + body)
	}
	r := acctest.NewRun(t, w.World, config(""))
	r.Terraform(t, "apply", "-auto-approve")
	id := w.BranchNamed(t, "b").ID
	r.Configure(t, config(fmt.Sprintf("parent_id = %q", parent.ID)))
	const taken = "until it is replaced or renamed in this run"
	if said := r.Fails(t, "apply", "-auto-approve"); !strings.Contains(said, taken) {
		t.Errorf("it doesn't say %q: %s", taken, said)
	}
	r.Configure(t, config(""))
	if said := r.Terraform(t, "plan"); !strings.Contains(said, "No changes.") || w.BranchNamed(t, "b").ID != id {
		t.Errorf("the branch isn't as it was:\n%s", said)
	}
	w.CheckOnly(t, "main", "parent", "b")
}

// A branch with children can't be deleted. It stays, and stays protected.
func TestAccBranch_withChildrenStays(t *testing.T) {
	t.Parallel()
	for name, protected := range map[string]bool{"protected": true, "not protected": false} {
		t.Run(name, func(t *testing.T) {
			w := acctest.NewBranchWorld(t)
			config := w.BranchConfig(fmt.Sprintf("name = \"b\"\n protected = %t", protected))
			id := newStaysTheSame("id")
			var child string
			kept := acctest.Planned(config, plancheck.ResourceActionNoop, id.check())
			kept.PreConfig = func() { w.CheckProtected(t, "b", protected) }
			parallelTest(t, resource.TestCase{
				ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{
					acctest.Planned(config, plancheck.ResourceActionCreate, id.check()),
					{
						PreConfig: func() { child = w.MakeChild(t, "child", w.BranchNamed(t, "b").ID).ID },
						Config:    config, Destroy: true, ExpectError: acctest.InWords("have to be deleted first: child"),
					},
					kept,
					{PreConfig: func() { w.DeleteBranch(t, child) }, Config: config, Destroy: true},
				},
			})
			w.CheckOnly(t, "main")
		})
	}
}

// withKey is a branch whose provider has another API key.
func withKey(w *acctest.BranchWorld, apiKey string) string {
	return w.ProviderConfigWith(apiKey) + acctest.BranchBlock(w.ProjectID, `name = "b"`)
}
