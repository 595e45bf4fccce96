package jwks

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_jwks_url: the JWKS URLs of a project.
func NewListResource() framework.ListResource {
	return kit.NewListInProject("jwks_url", key, "Lists the JWKS URLs of a project, in Neon's order.",
		(*client.Client).ListJWKS,
		func(projectID string, jwks client.JWKS) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{projectID, jwks.ID}, DisplayName: jwks.URL,
				Read: func(imported model) (model, error) { return imported.with(&jwks), nil },
			}
		})
}
