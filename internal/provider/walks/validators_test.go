package walks_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// attribute is a value of an object's type whose attribute of that name is the given
// one, and all others null.
func attribute(kind tftypes.Type, name string, value func(tftypes.Type) tftypes.Value) tftypes.Value {
	object := kind.(tftypes.Object)
	values := map[string]tftypes.Value{}
	for other, kind := range object.AttributeTypes {
		values[other] = tftypes.NewValue(kind, nil)
	}
	values[name] = value(object.AttributeTypes[name])
	return tftypes.NewValue(kind, values)
}

func detailsOf(diags []*tfprotov6.Diagnostic) string {
	var text strings.Builder
	for _, problem := range diags {
		text.WriteString(problem.Attribute.String() + ": " + problem.Summary + ": " + problem.Detail + "\n")
	}
	return text.String()
}

func validatedResource(t *testing.T, name string, fill func(tftypes.Type) tftypes.Value) string {
	t.Helper()
	server := provider.NewServer("test").New()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	schema, ok := schemas.ResourceSchemas[name]
	if !ok {
		schema = schemas.DataSourceSchemas[name]
	}
	value := fill(schema.ValueType())
	config, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		resp, err := server.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: &config})
		if err != nil {
			t.Fatal(err)
		}
		return detailsOf(resp.Diagnostics)
	}
	resp, err := server.ValidateDataResourceConfig(t.Context(),
		&tfprotov6.ValidateDataResourceConfigRequest{TypeName: name, Config: &config})
	if err != nil {
		t.Fatal(err)
	}
	return detailsOf(resp.Diagnostics)
}

// An element that is null is refused at its attribute, rather than called an error in
// the provider.
func TestNullElements(t *testing.T) {
	for _, test := range []struct{ kind, attribute string }{
		{"neon_operations", "actions"}, {"neon_operations", "statuses"}, {"neon_branch", "endpoints"},
	} {
		said := validatedResource(t, test.kind, func(kind tftypes.Type) tftypes.Value {
			return attribute(kind, test.attribute, func(kind tftypes.Type) tftypes.Value {
				if kind, ok := kind.(tftypes.Map); ok {
					return tftypes.NewValue(kind, map[string]tftypes.Value{"app": tftypes.NewValue(kind.ElementType, nil)})
				}
				return tftypes.NewValue(kind, []tftypes.Value{tftypes.NewValue(tftypes.String, nil)})
			})
		})
		if !strings.Contains(said, `AttributeName("`+test.attribute+`")`) || !strings.Contains(said, "is null") {
			t.Errorf("%s of %s: %s", test.attribute, test.kind, said)
		}
	}
}

// A timeout that is no time is refused where it is set.
func TestTimeoutsAboveZero(t *testing.T) {
	for _, test := range []struct{ kind, timeout string }{
		{"neon_branch", "create"}, {"neon_branch", "update"}, {"neon_branch", "delete"}, {"neon_operation", "read"},
	} {
		for value, refused := range map[string]bool{"0": true, "0s": true, "-5m": true, "soon": true, "10": true, "1s": false,
			"1h30m": false} {
			said := validatedResource(t, test.kind, func(kind tftypes.Type) tftypes.Value {
				return attribute(kind, "timeouts", func(kind tftypes.Type) tftypes.Value {
					return attribute(kind, test.timeout, func(tftypes.Type) tftypes.Value { return acctest.Text(value) })
				})
			})
			refusal := `AttributeName("timeouts"): Invalid timeout: timeouts.` + test.timeout + ` must`
			if strings.Contains(said, refusal) != refused {
				t.Errorf("%s of %s, %s: %s", test.timeout, test.kind, value, said)
			}
		}
	}
}
