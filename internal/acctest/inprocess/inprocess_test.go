package inprocess_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest/inprocess"
)

// things is a provider whose only resource is as faulty as a test wants it.
type things struct {
	tfprotov6.ProviderServer
	// planned, applied and read are what becomes of a thing's size.
	planned, applied, read func(size string) string
}

var thingType = tftypes.Object{AttributeTypes: map[string]tftypes.Type{"id": tftypes.String, "size": tftypes.String}}

func (things) GetProviderSchema(
	context.Context, *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	thing := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
		{Name: "id", Type: tftypes.String, Computed: true}, {Name: "size", Type: tftypes.String, Required: true},
	}}}
	return &tfprotov6.GetProviderSchemaResponse{
		Provider:        &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}},
		ResourceSchemas: map[string]*tfprotov6.Schema{"neon_thing": thing},
	}, nil
}

func (things) GetResourceIdentitySchemas(
	context.Context, *tfprotov6.GetResourceIdentitySchemasRequest,
) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{}, nil
}

func (things) ValidateProviderConfig(
	context.Context, *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{}, nil
}

func (things) ConfigureProvider(
	context.Context, *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (things) ValidateResourceConfig(
	context.Context, *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func (things) UpgradeResourceState(
	_ context.Context, request *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	value, err := request.RawState.Unmarshal(thingType)
	if err != nil {
		return nil, err
	}
	encoded, err := tfprotov6.NewDynamicValue(thingType, value)
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: &encoded}, err
}

func (p things) ReadResource(
	_ context.Context, request *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	state, err := changed(request.CurrentState, p.read, "")
	return &tfprotov6.ReadResourceResponse{NewState: state}, err
}

func (p things) PlanResourceChange(
	_ context.Context, request *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	state, err := changed(request.ProposedNewState, p.planned, tftypes.UnknownValue)
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: state}, err
}

func (p things) ApplyResourceChange(
	_ context.Context, request *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	state, err := changed(request.PlannedState, p.applied, "1")
	return &tfprotov6.ApplyResourceChangeResponse{NewState: state}, err
}

// changed has another size, and an id where there was none.
func changed(value *tfprotov6.DynamicValue, size func(string) string, id any) (*tfprotov6.DynamicValue, error) {
	thing, err := value.Unmarshal(thingType)
	if err != nil || thing.IsNull() {
		return value, err
	}
	var attributes map[string]tftypes.Value
	if err := thing.As(&attributes); err != nil {
		return nil, err
	}
	if size != nil {
		var text string
		if err := attributes["size"].As(&text); err != nil {
			return nil, err
		}
		attributes["size"] = tftypes.NewValue(tftypes.String, size(text))
	}
	if id != "" && (attributes["id"].IsNull() || !attributes["id"].IsKnown()) {
		attributes["id"] = tftypes.NewValue(tftypes.String, id)
	}
	encoded, err := tfprotov6.NewDynamicValue(thingType, tftypes.NewValue(thingType, attributes))
	return &encoded, err
}

// What Terraform doesn't accept of a provider, and what the testing framework doesn't of
// a step, is an error here too.
func TestRun(t *testing.T) {
	t.Parallel()
	larger := func(size string) string { return size + "0" }
	const config = "resource \"neon_thing\" \"a\" {\n size = \"1\"\n}\n"
	sized := func(size string) []statecheck.StateCheck {
		return []statecheck.StateCheck{statecheck.ExpectKnownValue("neon_thing.a", tfjsonpath.New("size"),
			knownvalue.StringExact(size))}
	}
	action := func(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
		return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction("neon_thing.a",
			action)}}
	}
	for name, test := range map[string]struct {
		provider things
		step     resource.TestStep
		then     []resource.TestStep
		want     string
	}{
		"as it should be":         {step: resource.TestStep{Config: config, ConfigStateChecks: sized("1"), ConfigPlanChecks: action(plancheck.ResourceActionCreate)}},
		"another plan":            {provider: things{planned: larger}, step: resource.TestStep{Config: config}, want: "Provider produced invalid plan"},
		"another result":          {provider: things{applied: larger}, step: resource.TestStep{Config: config}, want: "Provider produced inconsistent result after apply"},
		"another read":            {provider: things{read: larger}, step: resource.TestStep{Config: config}, want: "the plan after it isn't empty"},
		"a check of the state":    {step: resource.TestStep{Config: config, ConfigStateChecks: sized("2")}, want: "expected value 2"},
		"a check of the plan":     {step: resource.TestStep{Config: config, ConfigPlanChecks: action(plancheck.ResourceActionUpdate)}, want: "expected Update"},
		"an error that isn't":     {step: resource.TestStep{Config: config, ExpectError: regexp.MustCompile("no")}, want: "no error"},
		"a plan that isn't":       {step: resource.TestStep{Config: config, ExpectNonEmptyPlan: true}, want: "the plan after it is empty"},
		"a missing argument":      {step: resource.TestStep{Config: strings.Replace(config, "size", "# size", 1)}, want: `"size" is required`},
		"an argument that isn't":  {step: resource.TestStep{Config: strings.Replace(config, "size", "extra = 1\n size", 1)}, want: "Unsupported argument"},
		"a value of another type": {step: resource.TestStep{Config: strings.Replace(config, `"1"`, "[]", 1)}, want: "Incorrect attribute value type"},
		"something to do at plan": {step: resource.TestStep{Config: config, PlanOnly: true}, want: "the plan after it isn't empty"},
		"a last step that isn't valid": {
			step: resource.TestStep{Config: config},
			then: []resource.TestStep{{Config: strings.Replace(config, "size", "# size", 1),
				ExpectError: regexp.MustCompile("required")}},
			want: "what is left can't be destroyed",
		},
		"a value known only later": {step: resource.TestStep{Config: strings.Replace(config, `"1"`, "terraform_data.d.output", 1) + "resource \"terraform_data\" \"d\" {\n input = \"1\"\n}\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := inprocess.Run(t.Context(), resource.TestCase{
				ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
					"neon": func() (tfprotov6.ProviderServer, error) { return test.provider, nil },
				},
				Steps: append([]resource.TestStep{test.step}, test.then...),
			})
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("it says %v; want %q", err, test.want)
			}
		})
	}
}

// What only terraform knows isn't tried here.
func TestSupports(t *testing.T) {
	t.Parallel()
	for _, config := range []string{
		"resource \"neon_thing\" \"a\" {\n size = upper(\"x\")\n}", "resource \"neon_thing\" \"a\" {\n for_each = {}\n}",
		"module \"m\" {\n source = \"./m\"\n}", "resource \"other_thing\" \"a\" {}", "variable \"v\" {}",
		"resource \"neon_thing\" \"a\" {\n size = neon_thing.b.size\n}",
		"resource \"neon_thing\" \"a\" {\n lifecycle {\n prevent_destroy = true\n }\n}", "ephemeral \"neon_thing\" \"a\" {}",
	} {
		test := resource.TestCase{
			ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){"neon": nil},
			Steps:                    []resource.TestStep{{Config: config}},
		}
		if inprocess.Supports(test) == nil || inprocess.Knows(config, []string{"plan"}) {
			t.Errorf("supported: %s", config)
		}
	}
}
