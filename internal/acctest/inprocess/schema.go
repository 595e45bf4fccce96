package inprocess

import (
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// dataType is the resource that terraform has itself.
const dataType = "terraform_data"

// dataSchema is its schema.
var dataSchema = &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
	{Name: "id", Type: tftypes.String, Computed: true},
	{Name: "input", Type: tftypes.DynamicPseudoType, Optional: true},
	{Name: "output", Type: tftypes.DynamicPseudoType, Computed: true},
	{Name: "triggers_replace", Type: tftypes.DynamicPseudoType, Optional: true},
}}}
