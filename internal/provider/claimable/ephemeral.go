package claimable

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewEphemeral returns neon_claimable_database for the time of one run.
func NewEphemeral() ephemeral.EphemeralResource {
	return kit.NewForRun(kit.ForRun[ephemeralModel, openDatabase]{
		Name: "claimable_database", Noun: "claimable database", Keyless: true, Open: open, Close: end,
		Schema: schema.Schema{
			MarkdownDescription: "A throwaway PostgreSQL database for one run, such as one of `terraform test`, without an " +
				"account. Neither the state nor a plan file ever holds it. Each plan and each apply creates a new one. At the " +
				"end of the run Claimable Neon deletes it, unless somebody has claimed it; the older service can't, so that it " +
				"expires after 72 hours.",
			Attributes: map[string]schema.Attribute{
				"ref": kit.RequiredText(refText),
				"enable_logical_replication": schema.BoolAttribute{
					MarkdownDescription: replicationText, Optional: true,
				},
				"id":                       kit.ReturnedSecret(idText),
				"project_id":               kit.ReturnedString(projectText),
				"connection_string":        kit.ReturnedSecret(pooledText),
				"direct_connection_string": kit.ReturnedSecret(directText),
				"claim_url": kit.ReturnedSecret(claimText + " For one of Claimable Neon, the page asks for a code, which only " +
					"the action `neon_create_claim_link` can get, for the resource."),
				"expires_at": kit.ReturnedTime("When the database expires."),
			},
		},
	})
}

type ephemeralModel struct {
	options
	access

	ExpiresAt timetypes.RFC3339 `tfsdk:"expires_at"`
}

// openDatabase holds what is needed to delete a database; it is empty for a service that deletes none.
type openDatabase struct {
	ID       string
	Identity client.ClaimableIdentity
}

// String tells the database from all others that are open.
func (o openDatabase) String() string { return o.ID }

func open(ctx context.Context, run kit.Run, model *ephemeralModel) *openDatabase {
	wish := wish{options: model.options, services: types.SetNull(types.StringType)}
	made := wish.create(ctx, run.API, run.Diags)
	if made == nil {
		return nil
	}
	var full resourceModel
	if full.take(ctx, made, run.Diags); made.service == client.ClaimableNeon {
		full.readCredentials(ctx, run.API, "", run.Diags)
	}
	model.access, model.ExpiresAt = full.access, full.ExpiresAt
	return &openDatabase{full.ID.ValueString(), full.identity()}
}

func end(ctx context.Context, run kit.Run, o openDatabase) {
	if o.Identity.Assertion == "" {
		return
	}
	if err := run.API.DeleteClaimableProject(ctx, o.Identity); err != nil && client.ClaimEndOf(err) == client.ClaimNone {
		run.Warn("Claimable database may outlive the run", "Project "+o.Identity.ProjectID+" was created for this "+
			"run and could not be deleted. It expires by itself unless somebody claims it. "+kit.Describe(err, nil))
	}
}
