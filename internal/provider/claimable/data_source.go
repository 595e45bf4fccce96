package claimable

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_claimable_database: one that something else has created.
func NewDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[dataModel]{
		Name: "claimable_database", Keyless: true,
		Schema: schema.Schema{
			MarkdownDescription: "A claimable database that another configuration or one of Neon's tools has created. " +
				"Anybody who knows its id can read the connection strings, so keep the id secret. One that has expired is " +
				"an error.",
			Attributes: map[string]schema.Attribute{
				"id": schema.StringAttribute{
					MarkdownDescription: idText, Required: true, Sensitive: true, Validators: kit.UUIDValidators(),
				},
				"status": kit.ReturnedString("`UNCLAIMED`, `CLAIMING` while somebody takes it into an account, " +
					"or `CLAIMED`."),
				"project_id":               kit.ReturnedString(projectText),
				"connection_string":        kit.ReturnedSecret(pooledText + untilClaimed),
				"direct_connection_string": kit.ReturnedSecret(directText + untilClaimed),
				"claim_url":                kit.ReturnedSecret(claimText),
				"expires_at":               kit.ReturnedTime("When the database expires, or would have if nobody had claimed it."),
				"created_at":               kit.ReturnedTime("When the database was created."),
				"updated_at":               kit.ReturnedTime("When the database last changed."),
			},
		},
		Read: read,
	})
}

func read(ctx context.Context, run kit.Run, model *dataModel) {
	database, err := run.API.GetClaimableDatabase(ctx, model.ID.ValueString())
	switch {
	case client.IsAbsent(err):
		run.Diags.AddAttributeError(path.Root("id"), "No such claimable database", "Neon knows no database of that id. It "+
			"may have expired, which happens 72 hours after it was created unless somebody claims it.")
	case err != nil:
		kit.AddError(run.Diags, "Unable to read claimable database", err)
	default:
		id := model.ID
		*model = newDataModel(database)
		model.ID = id
	}
}
