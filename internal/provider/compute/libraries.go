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

// Libraries are those that PostgreSQL loads at its start.
type Libraries struct {
	UseDefaults      types.Bool `tfsdk:"use_defaults"`
	EnabledLibraries types.Set  `tfsdk:"enabled_libraries"`
}

// PreloadLibraries are the Libraries of a resource; more says what a change does.
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

// ReturnedLibraries are the Libraries that a data source returns; nil where Neon doesn't say.
func ReturnedLibraries(present *client.PreloadLibraries) kit.Field {
	libraries := NewLibraries(present)
	return kit.ReturnsObject(librariesText+" Null if Neon doesn't say.", present != nil, kit.Returned{
		"use_defaults":      kit.Returns(defaultsText, libraries.UseDefaults),
		"enabled_libraries": kit.Returns("Names of the libraries.", libraries.EnabledLibraries),
	})
}

// NeutralLibraries are those where nobody has chosen any.
func NeutralLibraries() *Libraries {
	return &Libraries{types.BoolValue(true), types.SetValueMust(types.StringType, nil)}
}

// NewLibraries returns the present libraries, or the neutral ones where Neon names none.
func NewLibraries(present *client.PreloadLibraries) *Libraries {
	if present == nil {
		return NeutralLibraries()
	}
	return &Libraries{types.BoolValue(present.UseDefaults), kit.SetOf(present.EnabledLibraries)}
}

// Equal reports whether both are the same, or both nil.
func (l *Libraries) Equal(other *Libraries) bool {
	if l == nil || other == nil {
		return l == other
	}
	return l.UseDefaults.Equal(other.UseDefaults) && l.EnabledLibraries.Equal(other.EnabledLibraries)
}

// Request returns what is to be sent to have these libraries.
func (l *Libraries) Request() *client.PreloadLibraries {
	return &client.PreloadLibraries{UseDefaults: l.UseDefaults.ValueBool(),
		EnabledLibraries: kit.Texts(l.EnabledLibraries.Elements())}
}
