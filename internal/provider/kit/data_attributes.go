package kit

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
)

func ListedString(text string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: text, Computed: true}
}

func ListedTime(text string) schema.Attribute {
	return schema.StringAttribute{CustomType: timetypes.RFC3339Type{}, MarkdownDescription: text, Computed: true}
}
