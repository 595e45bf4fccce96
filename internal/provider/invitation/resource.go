// Package invitation is an invitation to an organization, sent to an email address. Whoever
// has an account of that address joins at once; anybody else by opening one. Neon can't take
// an invitation back.
package invitation

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/people"
)

const (
	idText    = "Id of the invitation, a UUID."
	emailText = "Email address that is invited."
	roleText  = "Role of the member in the organization: `admin`, `editor` (of which `member` is an older name), " +
		"`viewer` or `collaborator`. Not every organization has all of them."
	invitedText = "When the invitation was sent."
	byText      = "Id of the user who invites, a UUID."
)

var noun = kit.Introduce(kit.Noun{Called: "invitation", ListedBy: "org_invitations"})

var key = kit.KeyInOrganization("An invitation", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
	kit.KeyPart{Name: "id", Description: idText, Valid: kit.IsUUID})

// NewResource returns the managed resource neon_org_invitation.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "org_invitation",
		First:    "email id invited_at invited_by org_id role",
		ListedBy: noun.ListedBy,
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "Invites somebody to an organization by email. People with a Neon account join at once, " +
				"others as soon as they open one. Neon can't withdraw an invitation: destroying the resource only forgets it, " +
				"with a warning. `neon_org_member_role` changes the role of a member who has joined.",
			Attributes: attributes(),
		},
		Remembers: "email",

		Plan:   plan,
		Create: create,
		Read:   read,
		Delete: forget,
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"org_id": kit.OwnOrganizationID(),
		"email":  people.EmailAttribute(emailText),
		"role": schema.StringAttribute{
			MarkdownDescription: roleText + " Changing it replaces the resource, by another invitation.",
			Required:            true,
			Validators:          people.OrgRoleValidators(),
			PlanModifiers:       []planmodifier.String{people.SameOrgRole(), stringplanmodifier.RequiresReplace()},
		},
		"id":         kit.ComputedString(idText),
		"invited_at": kit.ComputedTime(invitedText),
		"invited_by": kit.ComputedString(byText),
	}
}

type model struct {
	OrgID     types.String      `tfsdk:"org_id"`
	ID        types.String      `tfsdk:"id"`
	Email     types.String      `tfsdk:"email"`
	Role      types.String      `tfsdk:"role"`
	InvitedAt timetypes.RFC3339 `tfsdk:"invited_at"`
	InvitedBy types.String      `tfsdk:"invited_by"`
}

// with returns the model with what Neon says of the invitation.
func (m model) with(invitation *client.Invitation) model {
	m.ID = types.StringValue(invitation.ID)
	m.Email = people.Email(m.Email, invitation.Email)
	m.Role = people.OrgRole(m.Role, invitation.Role)
	m.InvitedAt = kit.OptionalTime(&invitation.InvitedAt)
	m.InvitedBy = kit.OptionalString(invitation.InvitedBy)
	return m
}

// plan chooses the organization, and refuses to invite who is a member.
func plan(ctx context.Context, p kit.Planning) {
	kit.PlanOrganization(ctx, p)
	p.RefuseForce(ctx, "invitation", "Neon takes no invitation back, and the same one isn't sent twice.",
		"org_id", "email", "role")
	if p.Platform == nil || p.IsDestruction() || p.Diags.HasError() {
		return
	}
	state, planned, _ := kit.ModelsOf[model](ctx, p)
	invites := !planned.Email.Equal(state.Email) || !planned.Role.Equal(state.Role) || !planned.OrgID.Equal(state.OrgID)
	if p.Diags.HasError() || !invites || !kit.IsSet(planned.OrgID) || !kit.IsSet(planned.Email) {
		return
	}
	people.Invites(p, planned.OrgID, planned.Email)
	if p.IsCreation() {
		people.WarnOfTwo(p, "invitation", planned.OrgID, planned.Email)
	}
	p.LookUps(func(run kit.Run) {
		member, err := run.API.GetSharedMemberByEmail(client.ForHint(ctx), planned.OrgID.ValueString(),
			planned.Email.ValueString())
		switch {
		case client.IsAbsent(err):
		case err != nil:
			kit.AddAttributeError(run.Diags, path.Root("org_id"), "Unable to list members", err)
		default:
			kit.AddAttributeError(run.Diags, path.Root("email"), "Already a member",
				alreadyMember(planned.OrgID.ValueString(), member))
		}
	})
}

func alreadyMember(orgID string, member *client.Member) error {
	return kit.Advise(fmt.Errorf("%s (email) is a member of organization %s already, as %s. Nobody was invited",
		member.User.Email, orgID, member.Member.Role),
		"Set the role of a member with neon_org_member_role, and keep role of an invitation that was accepted as it is.")
}

func create(ctx context.Context, run kit.Run, plan model, save func(model)) error {
	orgID, email := plan.OrgID.ValueString(), plan.Email.ValueString()
	if member, err := run.API.GetSharedMemberByEmail(client.ForHint(ctx), orgID, email); err == nil {
		return kit.Blame(alreadyMember(orgID, member), path.Root("email"))
	} else if !client.IsAbsent(err) {
		return err
	}
	invitation, err := run.API.CreateInvitation(ctx, orgID, email, plan.Role.ValueString())
	if err != nil {
		return adviseInviting(plan, err)
	}
	save(plan.with(invitation))
	return nil
}

func adviseInviting(plan model, err error) error {
	if taken, is := errors.AsType[*client.TakenError](err); is {
		return kit.Blame(kit.Advise(fmt.Errorf("%s was invited to organization %s as %s already", plan.Email.ValueString(),
			plan.OrgID.ValueString(), plan.Role.ValueString()),
			"If another resource of this configuration invites that address, remove one of them. Otherwise, for instance "+
				"after an interrupted run, "+kit.ImportIt("neon_org_invitation", plan.OrgID.ValueString(), taken.ID)+"\nIf it "+
				"was accepted and the member has left since, invite it again in the web console."), path.Root("email"))
	}
	if client.HasStatus(err, http.StatusForbidden) {
		return kit.Advise(err, "Only an administrator of the organization invites.")
	}
	return err
}

// read takes an invitation that isn't listed any more for accepted, as long as its address is
// a member's.
func read(ctx context.Context, run kit.Run, state model) (model, error) {
	invitation, err := run.API.GetSharedInvitation(ctx,
		client.OrgRef[client.Invitation]{OrgID: state.OrgID.ValueString(), ID: state.ID.ValueString()})
	if client.IsAbsent(err) && !state.Email.IsNull() {
		_, err = run.API.GetSharedMemberByEmail(ctx, state.OrgID.ValueString(), state.Email.ValueString())
		return state, err
	}
	if err != nil {
		return state, err
	}
	return state.with(invitation), nil
}

// forget says what stays: Neon has no call that takes an invitation back.
func forget(_ context.Context, run kit.Run, state model) error {
	email, orgID := state.Email.ValueString(), state.OrgID.ValueString()
	run.Warn("The invitation of "+email+" stays", fmt.Sprintf("Neon takes no invitation back, so that of %s to "+
		"organization %s (%s) is only forgotten here. Whoever has it can still accept it, and whoever has accepted it "+
		"stays a member. Remove either in the web console.",
		email, orgID, state.ID.ValueString()))
	return nil
}

// NewListResource returns the list resource neon_org_invitation: the invitations to an
// organization.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfOrganization, "org_invitation", key,
		"Lists the invitations to an organization, accepted ones too, in Neon's order.",
		(*client.Client).ListInvitations, model.with,
		func(invitation client.Invitation) (id, name string) { return invitation.ID, invitation.Email })
}

// NewListDataSource returns neon_org_invitations: who was invited to an organization.
func NewListDataSource() datasource.DataSource {
	return kit.NewListSourceIn(kit.OfOrganization, kit.ListSource[client.Invitation]{
		Name: "org_invitations", Called: "invitations", Attribute: "invitations", Returns: returned,
		Text: "The invitations to an organization, accepted ones too, in Neon's order. Neon doesn't say which were " +
			"accepted: `neon_org_members` returns who is a member.",
	}, (*client.Client).ListInvitations)
}

func returned(invitation client.Invitation) kit.Returned {
	return kit.Returned{
		"id":         kit.Returns(idText, types.StringValue(invitation.ID)),
		"email":      kit.Returns(emailText, types.StringValue(invitation.Email)),
		"role":       kit.Returns(roleText, types.StringValue(invitation.Role)),
		"invited_at": kit.Returns(invitedText, kit.OptionalTime(&invitation.InvitedAt)),
		"invited_by": kit.Returns(byText, kit.OptionalString(invitation.InvitedBy)),
	}
}
