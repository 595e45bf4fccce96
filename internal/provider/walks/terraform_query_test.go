package walks_test

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/querycheck"
	"github.com/hashicorp/terraform-plugin-testing/querycheck/queryfilter"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// terraform query lists what the protocol lists, with identity, name and state.
func TestAccTerraform_query(t *testing.T) {
	acctest.NeedsTerraform(t, acctest.QueriesSince)
	w := acctest.BranchWorldOf(t, emulator.Config{})
	w.BranchesOfEveryKind(t)
	block := func(limit string) string {
		return w.ProviderConfig() + `
			list "neon_branch" "all" {
				provider         = neon
				include_resource = true
				limit            = ` + limit + `
				config {
					project_id = "` + w.ProjectID + `"
				}
			}`
	}
	plain := w.BranchNamed(t, "plain")
	byName := func(name string) queryfilter.QueryFilter {
		return queryfilter.ByDisplayName(knownvalue.StringExact(name))
	}
	resource.ParallelTest(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{
				Query: true, Config: block("100"),
				QueryResultChecks: []querycheck.QueryResultCheck{
					querycheck.ExpectLength("neon_branch.all", 8),
					querycheck.ExpectIdentity("neon_branch.all", map[string]knownvalue.Check{
						"project_id": knownvalue.StringExact(w.ProjectID), "id": knownvalue.StringExact(plain.ID),
					}),
					querycheck.ExpectResourceDisplayName("neon_branch.all", byName("plain"), knownvalue.StringExact("plain")),
					querycheck.ExpectResourceKnownValues("neon_branch.all", byName("plain"), []querycheck.KnownValueCheck{
						{Path: tfjsonpath.New("id"), KnownValue: knownvalue.StringExact(plain.ID)},
						{Path: tfjsonpath.New("endpoints").AtMapKey("a_name").AtMapKey("disabled"), KnownValue: knownvalue.Bool(true)},
					}),
				},
			},
			{Query: true, Config: block("3"), QueryResultChecks: []querycheck.QueryResultCheck{querycheck.ExpectLength("neon_branch.all", 3)}},
			{
				Query: true, Config: strings.ReplaceAll(block("3"), w.ProjectID, "no-such-project-12345678"),
				ExpectError: acctest.InWords("Unable to list neon_branch"),
			},
			{Query: true, Config: strings.ReplaceAll(block("3"), w.ProjectID, "No Id"), ExpectError: acctest.InWords("must be the id")},
		},
	})
}

var listBlock = regexp.MustCompile(`list "(neon_\w+)" "(\w+)"`)

// Each example of a list lists something.
func TestAccTerraform_queryExamples(t *testing.T) {
	acctest.NeedsTerraform(t, acctest.QueriesSince)
	for _, name := range acctest.ExampleEntries(t, "list-resources") {
		w := newChangeWorld(t, startQuick)
		p := acctest.NewProtocol(t, w.World)
		state, _ := p.Create(t, name, w.needed(t, p, name))
		example := acctest.ReadExample(t, "list-resources/"+name+"/list-resource.tfquery.hcl")
		step := resource.TestStep{Query: true, Config: w.ProviderConfigWith(w.APIKey, `org_id = "`+w.OrgID+`"`) + example,
			ConfigVariables: config.Variables{}}
		for variable, value := range placesOf(p, name, state) {
			if strings.Contains(example, `variable "`+variable+`"`) {
				step.ConfigVariables[variable] = config.StringVariable(value)
			}
		}
		for _, block := range listBlock.FindAllStringSubmatch(example, -1) {
			if searches := map[string]bool{"shops": true, "previews": true, "stale": true}; !searches[block[2]] {
				step.QueryResultChecks = append(step.QueryResultChecks, querycheck.ExpectLengthAtLeast(block[1]+"."+block[2], 1))
			}
		}
		t.Run(name, func(t *testing.T) {
			resource.ParallelTest(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(),
				Steps: []resource.TestStep{step}})
		})
	}
}

// A terraform that is too old for lists and actions loses nothing else by them.
func TestAccTerraform_schema(t *testing.T) {
	t.Parallel()
	acctest.NeedsTerraform(t, "1.8.0")
	w := acctest.StartEmulator(t, emulator.Config{})
	command := acctest.NewRun(t, w, w.ProviderConfig()).Command(t, "providers", "schema", "-json")
	command.Args = command.Args[:len(command.Args)-1] // It takes no -no-color.
	output, err := command.Output()
	var all struct {
		Schemas map[string]struct {
			Resources map[string]any `json:"resource_schemas"`
			Data      map[string]any `json:"data_source_schemas"`
			Functions map[string]any `json:"functions"`
		} `json:"provider_schemas"`
	}
	if err := errors.Join(err, json.Unmarshal(output, &all)); err != nil {
		t.Fatal(err)
	}
	served := acctest.NewProtocol(t, w).Schema
	for address, schema := range all.Schemas {
		if len(schema.Resources) != len(served.ResourceSchemas) || len(schema.Data) != len(served.DataSourceSchemas) ||
			len(schema.Functions) != len(served.Functions) {
			t.Errorf("terraform sees %d resources, %d data sources and %d functions of %s", len(schema.Resources),
				len(schema.Data), len(schema.Functions), address)
		}
	}
	if len(all.Schemas) != 1 {
		t.Errorf("terraform sees %d providers", len(all.Schemas))
	}
}
