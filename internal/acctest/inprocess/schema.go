package inprocess

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/zclconf/go-cty/cty"

	"github.com/seed-a7382548/terraform-provider-neon/internal/planning"
)

// dataType is the resource that terraform has itself.
const dataType = "terraform_data"

// dataSchema is its schema.
var dataSchema = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{}}

var dataObject = cty.Object(map[string]cty.Type{
	"id": cty.String, "input": cty.DynamicPseudoType, "output": cty.DynamicPseudoType,
	"triggers_replace": cty.DynamicPseudoType,
})

// configured gives the arguments of a node the types of its schema.
func configured(schema *tfprotov6.Schema, arguments map[string]cty.Value) (cty.Value, error) {
	if schema != dataSchema {
		return planning.Configured(schema, arguments)
	}
	values := map[string]cty.Value{}
	for name, of := range dataObject.AttributeTypes() {
		values[name] = cty.NullVal(of)
		if value, ok := arguments[name]; ok {
			values[name] = value
		}
	}
	return cty.ObjectVal(values), nil
}
