package walks_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/acctest"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// configurable is a schema, and what checks a configuration of it.
type configurable struct {
	schema   *tfprotov6.Schema
	validate func(*tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error)
}

// configurables are the schemas of all blocks, by the kind and the name.
func configurables(t *testing.T, server tfprotov6.ProviderServer) map[string]configurable {
	t.Helper()
	ctx, all := t.Context(), map[string]configurable{}
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	lists, hasLists := server.(tfprotov6.ListResourceServer)
	actions, hasActions := server.(tfprotov6.ActionServer)
	if err != nil || !hasLists || !hasActions {
		t.Fatal(err, hasLists, hasActions)
	}
	all["provider"] = configurable{schemas.Provider,
		func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			said, err := server.ValidateProviderConfig(ctx, &tfprotov6.ValidateProviderConfigRequest{Config: config})
			return said.Diagnostics, err
		}}
	for name, schema := range schemas.ResourceSchemas {
		all["resource "+name] = configurable{schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			said, err := server.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{TypeName: name,
				Config: config})
			return said.Diagnostics, err
		}}
	}
	for name, schema := range schemas.DataSourceSchemas {
		all["data "+name] = configurable{schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			said, err := server.ValidateDataResourceConfig(ctx, &tfprotov6.ValidateDataResourceConfigRequest{TypeName: name,
				Config: config})
			return said.Diagnostics, err
		}}
	}
	for name, schema := range schemas.EphemeralResourceSchemas {
		all["ephemeral "+name] = configurable{schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			said, err := server.ValidateEphemeralResourceConfig(ctx,
				&tfprotov6.ValidateEphemeralResourceConfigRequest{TypeName: name, Config: config})
			return said.Diagnostics, err
		}}
	}
	for name, schema := range schemas.ListResourceSchemas {
		all["list "+name] = configurable{schema, func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
			said, err := lists.ValidateListResourceConfig(ctx, &tfprotov6.ValidateListResourceConfigRequest{TypeName: name,
				Config: config})
			return said.Diagnostics, err
		}}
	}
	for name, schema := range schemas.ActionSchemas {
		all["action "+name] = configurable{schema.Schema,
			func(config *tfprotov6.DynamicValue) ([]*tfprotov6.Diagnostic, error) {
				said, err := actions.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: name,
					Config: config})
				return said.Diagnostics, err
			}}
	}
	return all
}

// No collection takes an element that is null, so that none is sent as an empty text; but for
// those whose description says what it counts as.
func TestAttributes_refuseNullElements(t *testing.T) {
	t.Parallel()
	tried := 0
	for what, each := range configurables(t, provider.NewServer("test").New()) {
		for name, attribute := range attributesOf(each.schema.Block.Attributes, "", nil) {
			if attribute.isComputed() || !isCollection(attribute.ValueType()) {
				continue
			}
			tried++
			kind := each.schema.ValueType()
			said, err := each.validate(acctest.Dynamic(t, kind, withNullIn(kind, strings.Split(name, "."))))
			if err != nil {
				t.Fatal(err)
			}
			if counts := strings.Contains(attribute.Description, "A null value counts as not set"); counts == refusesNull(said) {
				t.Errorf("%s: %s counts null elements as absent: %t; and the plan says %v", what, name, counts, said)
			}
		}
	}
	if tried < 10 {
		t.Errorf("there are %d collections, want more", tried)
	}
}

func isCollection(kind tftypes.Type) bool {
	return kind.Is(tftypes.Set{}) || kind.Is(tftypes.List{}) || kind.Is(tftypes.Map{})
}

func refusesNull(said []*tfprotov6.Diagnostic) bool {
	for _, diagnostic := range said {
		if diagnostic.Severity == tfprotov6.DiagnosticSeverityError && diagnostic.Summary == "Null element" {
			return true
		}
	}
	return false
}

// withNullIn is an object whose collection at a path has an element that is null, and that has
// nothing else.
func withNullIn(kind tftypes.Type, path []string) tftypes.Value {
	switch kind := kind.(type) {
	case tftypes.Object:
		return acctest.Object(kind, map[string]tftypes.Value{path[0]: withNullIn(kind.AttributeTypes[path[0]], path[1:])})
	case tftypes.Map:
		return tftypes.NewValue(kind, map[string]tftypes.Value{"a": elementWithNull(kind.ElementType, path)})
	case tftypes.Set:
		return tftypes.NewValue(kind, []tftypes.Value{elementWithNull(kind.ElementType, path)})
	case tftypes.List:
		return tftypes.NewValue(kind, []tftypes.Value{elementWithNull(kind.ElementType, path)})
	}
	panic("not a collection: " + kind.String())
}

func elementWithNull(kind tftypes.Type, path []string) tftypes.Value {
	if len(path) == 0 {
		return tftypes.NewValue(kind, nil)
	}
	return withNullIn(kind, path)
}
