package acctest

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Query is what a list block asks for.
type Query struct {
	Config          map[string]tftypes.Value
	Limit           int64 // 0 for none
	IncludeResource bool
}

// ListedResource is a result of a list.
type ListedResource struct {
	DisplayName string
	Identity    map[string]string
	// State is nil where the resource isn't included.
	State *tfprotov6.DynamicValue
	// Problem is the summary and the detail of the result's diagnostic, empty for none.
	Problem string
}

// List returns what a list block lists.
func (p Protocol) List(t *testing.T, resourceType string, query Query) []ListedResource {
	t.Helper()
	lists, ok := p.ProviderServer.(tfprotov6.ListResourceServer)
	if !ok {
		t.Fatal("the provider lists nothing")
	}
	kind := p.Schema.ListResourceSchemas[resourceType].ValueType()
	config := Dynamic(t, kind, Object(kind, query.Config))
	validated, err := lists.ValidateListResourceConfig(t.Context(),
		&tfprotov6.ValidateListResourceConfigRequest{TypeName: resourceType, Config: config})
	NoProblem(t, err, validated.Diagnostics)
	stream, err := lists.ListResource(t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: resourceType, Config: config, Limit: query.Limit, IncludeResource: query.IncludeResource,
	})
	NoProblem(t, err, nil)
	var listed []ListedResource
	for result := range stream.Results {
		one := ListedResource{DisplayName: result.DisplayName, State: result.Resource}
		if result.Identity != nil {
			one.Identity = texts(t, p.IdentityType(resourceType), result.Identity.IdentityData)
		}
		for _, said := range result.Diagnostics {
			one.Problem += said.Summary + "\n" + said.Detail
		}
		listed = append(listed, one)
	}
	return listed
}
