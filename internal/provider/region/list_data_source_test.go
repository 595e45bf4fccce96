package region_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

func TestMain(m *testing.M) { acctest.Main(m) }

func TestAccRegionsData(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	withOrg := w.ProviderConfigWith(w.APIKey, fmt.Sprintf("org_id = %q", w.OrgID))
	offered := 8
	if w.Plays(t, "regions", "few") {
		offered = 3
	}
	for name, test := range map[string]struct {
		config string
		orgID  knownvalue.Check
		count  int
	}{
		"organization":                 {w.ProviderConfig() + acctest.DataBlock("regions", fmt.Sprintf("org_id = %q", w.OrgID)), knownvalue.StringExact(w.OrgID), offered},
		"organization of the provider": {withOrg + acctest.DataBlock("regions", ""), knownvalue.StringExact(w.OrgID), offered},
		"no organization":              {w.ProviderConfig() + acctest.DataBlock("regions", ""), knownvalue.Null(), 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			acctest.RunSteps(t, w, resource.TestStep{Config: test.config, ConfigStateChecks: []statecheck.StateCheck{
				acctest.DataIs("regions", test.orgID, "org_id"),
				acctest.DataIs("regions", knownvalue.ListSizeExact(test.count), "regions"),
				acctest.DataIs("regions", knownvalue.ObjectExact(map[string]knownvalue.Check{
					"id": knownvalue.StringExact("aws-us-east-2"), "name": knownvalue.StringExact("AWS US East 2 (Ohio)"),
					"default": knownvalue.Bool(false), "geo_lat": knownvalue.StringExact("39.96"),
					"geo_long": knownvalue.StringExact("-83"),
				}), "regions", 0),
				acctest.DataIs("regions", knownvalue.ObjectPartial(map[string]knownvalue.Check{"default": knownvalue.Bool(true)}),
					"regions", 1),
			}})
		})
	}
}

// Where Neon doesn't say where a region is, that is null.
func TestAccRegionsData_somewhere(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	w.AddFault(t, acctest.Fault{
		Route: "GET /api/v2/regions", Kind: "status", Status: http.StatusOK,
		Body: `{"regions":[{"region_id":"azure-gwc","name":"Azure","default":false}]}`,
	})
	acctest.RunSteps(t, w, resource.TestStep{
		Config: w.ProviderConfig() + acctest.DataBlock("regions", ""), ConfigStateChecks: []statecheck.StateCheck{
			acctest.DataIs("regions", knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectExact(map[string]knownvalue.Check{
				"id": knownvalue.StringExact("azure-gwc"), "name": knownvalue.StringExact("Azure"),
				"default": knownvalue.Bool(false),
				"geo_lat": knownvalue.Null(), "geo_long": knownvalue.Null(),
			})}), "regions"),
		},
	})
}

func TestAccRegionsData_errors(t *testing.T) {
	t.Parallel()
	w := acctest.StartEmulator(t, emulator.Config{})
	acctest.RunErrors(t, w, map[string]acctest.Refusal{
		"no such organization": {
			Config: acctest.DataBlock("regions", `org_id = "org-other-12345678"`),
			Want:   acctest.InOrder("Unable to list regions", "organization not found"),
		},
		"not an id": {Config: acctest.DataBlock("regions", `org_id = "A b"`), Want: acctest.InWords("must be the id")},
	})
}
