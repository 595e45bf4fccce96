package member

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
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

var noun = kit.Introduce(kit.Noun{Called: "member", ListedBy: "org_members"})

var orgRoleKey = kit.KeyInOrganization("The role of a member of an organization", exampleMember,
	kit.KeyPart{Name: "member_id", Description: memberText, Valid: kit.IsUUID})

// NewOrgRoleResource returns the managed resource neon_org_member_role.
func NewOrgRoleResource() resource.Resource {
	return kit.NewResource(kit.Resource[orgRoleModel]{
		Name:     "org_member_role",
		First:    "email member_id org_id role",
		ListedBy: noun.ListedBy,
		Key:      orgRoleKey,
		Schema: schema.Schema{
			MarkdownDescription: "The role that a member has in an organization. The member must have joined: " +
				"`neon_org_invitation` invites one. Neon has no member without a role, so destroying the resource leaves the " +
				"role as it is, with a warning.",
			Attributes: orgRoleAttributes(),
		},
		MovedFrom: map[string]string{"neondatabase/neon": "neon_org_member_role",
			"kenchan0130/neon": "neon_organization_member_role"},
		Plan:   planOrgRole,
		Create: createOrgRole,
		Read:   readOrgRole,
		Update: updateOrgRole,
		Delete: forgetOrgRole,
	})
}

func orgRoleAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"org_id": kit.OwnOrganizationID(),
		"member_id": schema.StringAttribute{
			MarkdownDescription: memberText + " This or `email` is needed; both must be the same member's. Changing it " +
				"replaces the resource.",
			Optional:      true,
			Computed:      true,
			Validators:    kit.UUIDValidators(),
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown(), stringplanmodifier.RequiresReplace()},
		},
		"email": schema.StringAttribute{
			MarkdownDescription: "Email address of the member, at most 256 bytes. The case of letters doesn't matter. This " +
				"or `member_id` is needed; both must be the same member's. Changing it replaces the resource.",
			Optional: true,
			Computed: true,
			Validators: append(people.EmailValidators(),
				stringvalidator.AtLeastOneOf(path.MatchRoot("member_id"), path.MatchRoot("email"))),
			PlanModifiers: append([]planmodifier.String{stringplanmodifier.UseStateForUnknown()}, people.SameEmail()...),
		},
		"role": schema.StringAttribute{
			MarkdownDescription: "What the member may do: `admin`, `editor` (of which `member` is an older name), `viewer` or " +
				"`collaborator`. Not every organization has all of them.",
			Required:      true,
			Validators:    people.OrgRoleValidators(),
			PlanModifiers: []planmodifier.String{people.SameOrgRole()},
		},
	}
}

type orgRoleModel struct {
	OrgID    types.String `tfsdk:"org_id"`
	MemberID types.String `tfsdk:"member_id"`
	Email    types.String `tfsdk:"email"`
	Role     types.String `tfsdk:"role"`
}

func (m orgRoleModel) ref() client.OrgRef[client.Member] {
	return client.OrgRef[client.Member]{OrgID: m.OrgID.ValueString(), ID: m.MemberID.ValueString()}
}

// with returns the model with the values of Neon's member.
func (m orgRoleModel) with(member *client.Member) orgRoleModel {
	m.MemberID = types.StringValue(member.Member.ID)
	m.Email = people.Email(m.Email, member.User.Email)
	m.Role = people.OrgRole(m.Role, member.Member.Role)
	return m
}

// planOrgRole sets the organization. For a replacement, it checks that the new member exists, unless this run invites
// that person.
func planOrgRole(ctx context.Context, p kit.Planning) {
	kit.PlanOrganization(ctx, p)
	named := "member_id"
	if p.Changed(ctx, named) == "" {
		named = "email"
	}
	parts := []string{"org_id", "member_id", "email"}
	p.CheckReplacement(ctx, "org member role", named, parts, func(api *client.Client) error {
		_, planned, config := kit.ModelsOf[orgRoleModel](ctx, p)
		config.OrgID = planned.OrgID
		_, err := find(ctx, api, config)
		if !client.IsAbsent(err) || people.IsInvited(p, config.OrgID, config.Email) {
			return nil
		}
		return adviseInvite(err)
	})
}

func adviseInvite(err error) error {
	return kit.Advise(err, "Only a member of the organization can have a role in it: invite the person with "+
		"neon_org_invitation. One who has an account joins at once; anybody else has to accept first.")
}

func createOrgRole(ctx context.Context, run kit.Run, plan orgRoleModel, save func(orgRoleModel)) error {
	member, err := find(ctx, run.API, plan)
	if client.IsAbsent(err) {
		return adviseInvite(err)
	}
	if err != nil {
		return err
	}
	if kit.IsSet(plan.Email) && !strings.EqualFold(plan.Email.ValueString(), member.User.Email) {
		return kit.Advise(&client.AbsentError{What: fmt.Sprintf("organization %s has no member %s with the address %s",
			plan.OrgID.ValueString(), member.Member.ID, plan.Email.ValueString())},
			"The address of that member is "+member.User.Email+". Configure member_id or email alone, or both of the "+
				"same member.")
	}
	if !kit.IsSet(plan.MemberID) && !run.Begins("org_member_role", plan.OrgID.ValueString()+"/"+member.Member.ID) {
		return kit.Advise(fmt.Errorf("another resource of this configuration sets the role of %s already",
			member.User.Email), "Two resources would change it to and fro: remove one of them.")
	}
	role := plan.Role
	if plan = plan.with(member); !plan.Role.Equal(role) {
		plan.Role = role
		return updateOrgRole(ctx, run, orgRoleModel{}, plan, save)
	}
	save(plan)
	return nil
}

// find returns the member by id or, without one, by email address.
func find(ctx context.Context, api *client.Client, plan orgRoleModel) (*client.Member, error) {
	if kit.IsSet(plan.MemberID) {
		return api.GetSharedMember(ctx, plan.ref())
	}
	return api.GetSharedMemberByEmail(ctx, plan.OrgID.ValueString(), plan.Email.ValueString())
}

func readOrgRole(ctx context.Context, run kit.Run, state orgRoleModel) (orgRoleModel, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedMember(ctx, state.ref()))
}

func updateOrgRole(ctx context.Context, run kit.Run, _, plan orgRoleModel, save func(orgRoleModel)) error {
	err := run.API.UpdateMemberRole(ctx, plan.ref(), plan.Role.ValueString())
	switch {
	case client.IsRefused(err) && plan.Role.ValueString() != "admin":
		return kit.Advise(err, "An organization keeps its last administrator: make another member one first. The role of "+
			"the user whose API key the provider has is lowered by another administrator, in the web console or with a key "+
			"of theirs.")
	case client.IsRefused(err):
		return kit.Advise(err, "Not every organization has all roles.")
	case client.HasStatus(err, http.StatusForbidden):
		return kit.Advise(err, "Only an administrator of the organization changes roles.")
	case err != nil:
		return err
	}
	save(plan)
	return nil
}

// forgetOrgRole warns that the role stays: Neon has no member without a role.
func forgetOrgRole(_ context.Context, run kit.Run, state orgRoleModel) error {
	run.Warn("The role of "+state.Email.ValueString()+" stays", fmt.Sprintf("Neon has no member without a role, so %s "+
		"is only forgotten here, and remains %s in organization %s. Give it another role before you destroy the resource, "+
		"or remove the member in the web console.",
		state.Email.ValueString(), state.Role.ValueString(), state.OrgID.ValueString()))
	return nil
}
