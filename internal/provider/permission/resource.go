// Package permission is access to a project for somebody outside of its organization, given
// to an email address.
package permission

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/people"
)

var noun = kit.Introduce(kit.Noun{Called: "permission", ListedBy: "project_permissions"})

var key = kit.KeyInProject("A permission", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
	kit.KeyPart{Name: "id", Description: idText, Valid: kit.IsID("id"), MovedFrom: "permission_id"})

const (
	idText      = "Id of the permission."
	emailText   = "Email address of the Neon account that has access."
	grantedText = "When the permission was granted."
)

// NewResource returns the managed resource neon_project_permission.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "project_permission",
		First:    "email granted_at id project_id",
		ListedBy: noun.ListedBy,
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "Shares a project with a Neon account, which may then do everything with it but delete it. " +
				"Destroying the resource revokes the access.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
				"email":      people.EmailAttribute(emailText),
				"id":         kit.ComputedString(idText),
				"granted_at": kit.ComputedTime(grantedText),
			},
		},
		MovedFrom: map[string]string{"kislerdm/neon": "neon_project_permission",
			"neondatabase/neon": "neon_project_permission", "kenchan0130/neon": "neon_project_access"},
		Plan:   plan,
		Create: create,
		Read:   read,
		Delete: remove,
	})
}

type model struct {
	ProjectID types.String      `tfsdk:"project_id"`
	ID        types.String      `tfsdk:"id"`
	Email     types.String      `tfsdk:"email"`
	GrantedAt timetypes.RFC3339 `tfsdk:"granted_at"`
}

// plan warns of two for one address, of which Neon creates one.
func plan(ctx context.Context, p kit.Planning) {
	if !p.IsCreation() {
		return
	}
	planned := kit.ModelOf[model](ctx, p.Plan, p.Diags)
	people.WarnOfTwo(p, noun.Called, planned.ProjectID, planned.Email)
}

// with returns the model with what Neon says of the permission.
func (m model) with(permission *client.ProjectPermission) model {
	m.ID = types.StringValue(permission.ID)
	m.Email = people.Email(m.Email, permission.Email)
	m.GrantedAt = kit.OptionalTime(&permission.GrantedAt)
	return m
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	permission, err := run.API.GrantProjectPermission(ctx, plan.ProjectID.ValueString(), plan.Email.ValueString())
	if client.IsRefused(err) {
		return adviseTaken(ctx, run.API, plan, err)
	}
	if err != nil {
		return err
	}
	save(plan.with(permission))
	return nil
}

// adviseTaken says how the permission that an address has already is taken in. Another refusal
// than a conflict may have another reason.
func adviseTaken(ctx context.Context, api *client.Client, plan model, refusal error) error {
	projectID, id := plan.ProjectID.ValueString(), "ID"
	permissions, _ := client.All(api.ListProjectPermissions(ctx, projectID))
	for _, permission := range permissions {
		if strings.EqualFold(permission.Email, plan.Email.ValueString()) {
			id = permission.ID
		}
	}
	if id == "ID" && !client.HasStatus(refusal, http.StatusConflict) {
		return refusal
	}
	return kit.Blame(kit.Advise(refusal, fmt.Sprintf("email = %s: project %s is shared with that address already. ",
		kit.Quoted(plan.Email.ValueString()), projectID)+"If another resource of this configuration has that address, "+
		"remove one of them. Otherwise "+
		kit.ImportIt("neon_project_permission", projectID, id)), path.Root("email"))
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedProjectPermission(ctx,
		kit.RefOf[client.ProjectPermission](state.ProjectID, state.ID)))
}

func remove(ctx context.Context, run kit.Run, state model) error {
	return run.API.RevokeProjectPermission(ctx, kit.RefOf[client.ProjectPermission](state.ProjectID, state.ID))
}

// NewListResource returns the list resource neon_project_permission: whom a project is shared with.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfProject, "project_permission", key,
		"Lists the permissions that share a project with other Neon accounts, in Neon's order.",
		(*client.Client).ListProjectPermissions, model.with,
		func(permission client.ProjectPermission) (id, name string) { return permission.ID, permission.Email })
}

// NewListDataSource returns neon_project_permissions: with whom a project is shared.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfProject, kit.ListSource[client.ProjectPermission]{
		Name: "project_permissions", Attribute: "permissions", Objects: "The permissions.", Returns: returned,
		Text: "The accounts that a project is shared with, in Neon's order. Permissions that were revoked are left " +
			"out, and so are the members of the project's organization.",
	}, (*client.Client).ListProjectPermissions)
}

func returned(permission client.ProjectPermission) kit.Returned {
	return kit.Returned{
		"id":         kit.Returns(idText, types.StringValue(permission.ID)),
		"email":      kit.Returns(emailText, types.StringValue(permission.Email)),
		"granted_at": kit.Returns(grantedText, kit.OptionalTime(&permission.GrantedAt)),
	}
}
