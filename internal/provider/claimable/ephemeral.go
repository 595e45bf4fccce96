package claimable

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewEphemeral returns neon_claimable_database for the time of one run. There is nothing to
// close, since Neon can't delete one.
func NewEphemeral() ephemeral.EphemeralResource {
	return kit.NewEphemeral(kit.Ephemeral[ephemeralModel]{
		Name: "claimable_database",
		Schema: schema.Schema{
			MarkdownDescription: "A throwaway PostgreSQL database for one run, such as one of `terraform test`. It needs no account and no API key, " +
				"and neither the state nor a plan file ever holds it. Each plan and each apply creates a new one, which expires after 72 hours.",
			Attributes: map[string]schema.Attribute{
				"ref": kit.RequiredText(refText),
				"enable_logical_replication": schema.BoolAttribute{
					MarkdownDescription: replicationText, Optional: true,
				},
				"id":                       kit.ReturnedSecret(idText),
				"project_id":               kit.ReturnedString(projectText),
				"connection_string":        kit.ReturnedSecret(pooledText),
				"direct_connection_string": kit.ReturnedSecret(directText),
				"claim_url":                kit.ReturnedSecret(claimText),
				"expires_at":               kit.ReturnedTime("When the database expires, in RFC 3339."),
			},
		},
		Open: open,
	})
}

type ephemeralModel struct {
	options
	access

	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
}

func open(ctx context.Context, platform *kit.Platform, model *ephemeralModel, diags *diag.Diagnostics) {
	api := platform.Claimable(diags)
	wish := wish{options: model.options, services: types.SetNull(types.StringType)}
	made := wish.create(ctx, api, diags)
	if made == nil {
		return
	}
	var full resourceModel
	if full.take(ctx, made, diags); made.service == client.ClaimableNeon {
		full.readCredentials(ctx, api, diags)
	}
	model.access, model.ExpiresAt = full.access, full.ExpiresAt
}
