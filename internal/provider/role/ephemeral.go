package role

import (
	"context"
	"errors"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewPasswordEphemeral returns neon_role_password: a role's password, which is in no state and no plan file.
func NewPasswordEphemeral() ephemeral.EphemeralResource {
	return kit.NewEphemeral(kit.Ephemeral[passwordModel]{
		Name: "role_password",
		Schema: schema.Schema{
			MarkdownDescription: "The password of a role. Neither the state nor a plan file ever holds it. A project that " +
				"doesn't store passwords (`store_passwords = false`) can't reveal it.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(kit.ProjectText),
				"branch_id":  kit.OptionalID(branchText + " Defaults to the project's default branch."),
				"role_name":  kit.RequiredText("Name of the role. Must not be empty."),
				"after":      kit.After("[neon_role.app.id]"),
				"password":   kit.ReturnedSecret("The password."),
			},
		},
		Open: openPassword,
	})
}

const unableToRead = "Unable to read the role's password"

type passwordModel struct {
	kit.InBranch

	RoleName types.String `tfsdk:"role_name"`
	After    types.List   `tfsdk:"after"`
	Password types.String `tfsdk:"password"`
}

func openPassword(ctx context.Context, run kit.Run, m *passwordModel) {
	api := run.API
	ref := m.Branch()
	if ref.ID == "" {
		branch, err := api.GetDefaultBranch(ctx, ref.ProjectID)
		if err != nil {
			kit.AddError(run.Diags, unableToRead, err)
			return
		}
		ref.ID = branch.ID
	}
	password, err := api.GetRolePassword(ctx, ref, m.RoleName.ValueString())
	if client.HasStatus(err, http.StatusPreconditionFailed) {
		err = kit.Advise(err, "The project was created with store_passwords = false, so Neon doesn't know its passwords. "+
			"Only a new one is shown, once, by whoever resets it.")
	}
	if client.IsMissing(err) && !client.IsAbsent(err) {
		err = kit.Advise(err, "Check that branch "+ref.ID+" has role_name "+kit.Quoted(m.RoleName.ValueString())+
			", and that the role can log in: one that was created with no_login = true has no password.")
	}
	var absent *client.AbsentError
	if errors.As(err, &absent) && absent.Noun == "role" {
		err = kit.Advise(err, "The data source neon_roles lists those that there are. "+kit.AfterAdvice("neon_role"))
	}
	if err != nil {
		kit.AddError(run.Diags, unableToRead, err)
		return
	}
	m.Password = types.StringValue(password)
}
