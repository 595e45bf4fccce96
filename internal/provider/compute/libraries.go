package compute

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	librariesText = "Libraries that PostgreSQL loads when it starts."
	defaultsText  = "Whether Neon's own libraries are loaded too."
)

// Libraries are the libraries that PostgreSQL loads at its start.
type Libraries struct {
	UseDefaults      types.Bool `tfsdk:"use_defaults"`
	EnabledLibraries types.Set  `tfsdk:"enabled_libraries"`
}

// PreloadLibraries returns the attribute for Libraries in a resource; more describes what a change does.
func PreloadLibraries(more string) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: librariesText + " " + more, Optional: true,
		Attributes: map[string]schema.Attribute{
			"use_defaults": schema.BoolAttribute{MarkdownDescription: defaultsText, Required: true},
			"enabled_libraries": schema.SetAttribute{
				MarkdownDescription: "Names of the libraries, which depend on the version of PostgreSQL.", Required: true,
				ElementType: types.StringType, Validators: []validator.Set{kit.NoNulls{}},
			},
		},
	}
}

// ReturnedLibraries returns the Libraries of a data source: null if Neon returns none.
func ReturnedLibraries(present *client.PreloadLibraries) kit.Field {
	libraries := NewLibraries(present)
	return kit.ReturnsObject(librariesText+" Null if Neon doesn't say.", present != nil, kit.Returned{
		"use_defaults":      kit.Returns(defaultsText, libraries.UseDefaults),
		"enabled_libraries": kit.Returns("Names of the libraries.", libraries.EnabledLibraries),
	})
}

// NeutralLibraries returns the libraries of an endpoint for which nobody has chosen any.
func NeutralLibraries() *Libraries {
	return &Libraries{types.BoolValue(true), types.SetValueMust(types.StringType, nil)}
}

// NewLibraries returns the libraries that Neon returned, or NeutralLibraries for nil.
func NewLibraries(present *client.PreloadLibraries) *Libraries {
	if present == nil {
		return NeutralLibraries()
	}
	return &Libraries{types.BoolValue(present.UseDefaults), kit.SetOf(present.EnabledLibraries)}
}

// Equal reports whether both are equal or both nil.
func (l *Libraries) Equal(other *Libraries) bool {
	if l == nil || other == nil {
		return l == other
	}
	return l.UseDefaults.Equal(other.UseDefaults) && l.EnabledLibraries.Equal(other.EnabledLibraries)
}

// Request returns the libraries as the client sends them.
func (l *Libraries) Request() *client.PreloadLibraries {
	return &client.PreloadLibraries{UseDefaults: l.UseDefaults.ValueBool(),
		EnabledLibraries: kit.Texts(l.EnabledLibraries.Elements())}
}
