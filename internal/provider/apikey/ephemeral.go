package apikey

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	_ ephemeral.EphemeralResourceWithConfigure = (*apiKeyEphemeral)(nil)
	_ ephemeral.EphemeralResourceWithClose     = (*apiKeyEphemeral)(nil)
)

// apiKeyEphemeral is neon_api_key for the time of one run.
type apiKeyEphemeral struct {
	kit.EphemeralBase
}

func NewEphemeral() ephemeral.EphemeralResource {
	return &apiKeyEphemeral{kit.EphemeralBase{Name: "api_key"}}
}

// Schema describes neon_api_key.
func (e *apiKeyEphemeral) Schema(_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A personal API key for one run: it is made when Terraform needs it, and revoked at the end of the plan " +
			"or apply, also when that fails. Neither the state nor a plan file ever holds it. It may do what its user may, in all " +
			"organizations. The provider itself needs a personal key to make one.",
		Attributes: ephemeralKeyAttributes(),
	}
}

// Open makes the key.
func (e *apiKeyEphemeral) Open(ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse) {
	var model ephemeralKeyModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	e.Control(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	openKey(ctx, e.Platform, client.APIKeyScope{}, model.Name.ValueString(), resp, func(key *client.CreatedAPIKey) any {
		model.opened(key)
		return &model
	})
}

// Close revokes the key.
func (e *apiKeyEphemeral) Close(ctx context.Context, req ephemeral.CloseRequest, resp *ephemeral.CloseResponse) {
	closeKey(ctx, e.Platform, req, resp)
}
