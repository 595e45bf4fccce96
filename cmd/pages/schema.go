package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// printSchema prints the provider's schema as a new terraform does (terraform providers schema -json), for the
// generator of the documentation. An older terraform leaves actions and list resources out.
func printSchema() error {
	served, err := provider.NewServer("docs").New().GetProviderSchema(context.Background(),
		&tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return err
	}
	for _, problem := range served.Diagnostics {
		return fmt.Errorf("%s: %s", problem.Summary, problem.Detail)
	}
	return json.NewEncoder(os.Stdout).Encode(tfjson.ProviderSchemas{
		FormatVersion: "1.0", Schemas: map[string]*tfjson.ProviderSchema{"neon": providerSchema(served)},
	})
}

func providerSchema(served *tfprotov6.GetProviderSchemaResponse) *tfjson.ProviderSchema {
	return &tfjson.ProviderSchema{
		ConfigSchema:             schema(served.Provider),
		ResourceSchemas:          converted(served.ResourceSchemas, schema),
		DataSourceSchemas:        converted(served.DataSourceSchemas, schema),
		EphemeralResourceSchemas: converted(served.EphemeralResourceSchemas, schema),
		ListResourceSchemas:      converted(served.ListResourceSchemas, schema),
		ActionSchemas: converted(served.ActionSchemas, func(action *tfprotov6.ActionSchema) *tfjson.ActionSchema {
			return &tfjson.ActionSchema{Block: schema(action.Schema).Block}
		}),
		Functions: converted(served.Functions, signature),
	}
}

func converted[A, B any](served map[string]A, convert func(A) B) map[string]B {
	all := map[string]B{}
	for name, one := range served {
		all[name] = convert(one)
	}
	return all
}

func schema(served *tfprotov6.Schema) *tfjson.Schema {
	block := served.Block
	return &tfjson.Schema{Version: uint64(max(served.Version, 0)), Block: &tfjson.SchemaBlock{
		Attributes: attributes(block.Attributes), Description: block.Description,
		DescriptionKind: textKind(block.DescriptionKind), Deprecated: block.Deprecated,
	}}
}

func attributes(served []*tfprotov6.SchemaAttribute) map[string]*tfjson.SchemaAttribute {
	all := map[string]*tfjson.SchemaAttribute{}
	for _, one := range served {
		attribute := &tfjson.SchemaAttribute{
			Description: one.Description, DescriptionKind: textKind(one.DescriptionKind), Deprecated: one.Deprecated,
			Required: one.Required, Optional: one.Optional, Computed: one.Computed, Sensitive: one.Sensitive,
			WriteOnly: one.WriteOnly,
		}
		if one.NestedType == nil {
			attribute.AttributeType = planning.Type(one.Type)
		} else {
			attribute.AttributeNestedType = &tfjson.SchemaNestedAttributeType{
				Attributes:  attributes(one.NestedType.Attributes),
				NestingMode: tfjson.SchemaNestingMode(strings.ToLower(one.NestedType.Nesting.String())),
			}
		}
		all[one.Name] = attribute
	}
	return all
}

func signature(served *tfprotov6.Function) *tfjson.FunctionSignature {
	function := &tfjson.FunctionSignature{
		Description: served.Description, Summary: served.Summary, DeprecationMessage: served.DeprecationMessage,
		ReturnType: planning.Type(served.Return.Type),
	}
	for _, one := range served.Parameters {
		function.Parameters = append(function.Parameters, parameter(one))
	}
	if served.VariadicParameter != nil {
		function.VariadicParameter = parameter(served.VariadicParameter)
	}
	return function
}

func parameter(served *tfprotov6.FunctionParameter) *tfjson.FunctionParameter {
	return &tfjson.FunctionParameter{
		Name: served.Name, Description: served.Description, IsNullable: served.AllowNullValue,
		Type: planning.Type(served.Type),
	}
}

func textKind(served tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	return tfjson.SchemaDescriptionKind(strings.ToLower(served.String()))
}
