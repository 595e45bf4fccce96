package claimable

import (
	"context"
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/sqlscript"
)

// sqlScript is the one type of seed.
const sqlScript = "sql-script"

func seedAttribute() schema.Attribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: "Initial content of the new database. It isn't compared with the data later. The statements " +
			"run in one transaction, unless the file has transactions of its own or statements such as `CREATE DATABASE`. If " +
			"one fails, the database is tainted. Changing this replaces the database; a change of the file does so only with " +
			"`replace_triggered_by`, as in [Claimable databases](../guides/claimable-databases.md#create-one).",
		Optional:      true,
		PlanModifiers: []planmodifier.Object{objectplanmodifier.RequiresReplace()},
		Attributes: map[string]schema.Attribute{
			"type": schema.StringAttribute{
				MarkdownDescription: "Must be `sql-script`: SQL statements, or a plain dump of `pg_dump --no-owner " +
					"--no-privileges`. Commands of `psql` such as `\\copy` don't work. Changing it replaces the database.",
				Required:   true,
				Validators: []validator.String{stringvalidator.OneOf(sqlScript)},
			},
			"path": schema.StringAttribute{
				MarkdownDescription: "The file, in UTF-8, best below `path.module`. It is read when a database is planned and " +
					"created, and not later. Changing it replaces the database.",
				Required:   true,
				Validators: kit.NotEmpty(),
			},
		},
	}
}

// readSeed returns the script, or nil if there is none, or its path isn't known yet.
func readSeed(seed types.Object, diags *diag.Diagnostics) *sqlscript.Script {
	file := kit.Text(seed.Attributes()["path"])
	if file == "" {
		return nil
	}
	script, err := sqlscript.Read(file)
	if err != nil {
		problem := err.Error()
		if kit.MayBeSecret(file) {
			problem = kit.WithoutSecrets(problem, []string{file})
		}
		advice := ""
		if strings.Contains(problem, "can't be read") {
			advice = " " + kit.WherePathsBegin
		}
		diags.AddAttributeError(path.Root("seed").AtName("path"), "Unable to read the seed", kit.Sentence(problem)+advice)
	}
	return script
}

// seed seeds a new database.
func (m *resourceModel) seed(ctx context.Context, script *sqlscript.Script, diags *diag.Diagnostics) {
	if err := script.Run(ctx, m.DirectConnectionString.ValueString()); err != nil {
		what := kit.Sentence(err.Error())
		if errors.Is(err, context.DeadlineExceeded) {
			what += "\n\nThe time for it was up: raise timeouts.create if the script only takes long."
		}
		instead := "correct the script and"
		if kit.Is[*pgconn.ConnectError](err) {
			what += " The script wasn't run."
			instead = "see that this machine reaches the database, and"
		}
		diags.AddAttributeError(path.Root("seed"), "Unable to seed claimable database", what+
			"\n\nThe database (project "+m.ProjectID.ValueString()+") exists and is kept in state, tainted: "+instead+
			" apply again, which creates another one. This one expires by itself.")
	}
}
