// Package credential is the service credential, with which programs use a branch's object storage, functions and AI
// gateway.
package credential

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	framework "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	branchText = "Id of the branch."
	tokenText  = "Id of the service credential, which is the id of the access key for S3, too." // #nosec G101 -- a description
	scopesText = "What it may do: `storage:read`, `storage:write` (which includes reading), `ai_gateway:invoke` and " +
		"`functions:invoke`."
	apiText     = "The secret token for the AI gateway and for functions."
	s3Text      = "The secret access key for S3. The access key's id is `token_id`."
	mostScopes  = 16
	longestName = 256
)

var credentialNoun = kit.Introduce(kit.Noun{Called: "service credential", ListedBy: "service_credentials"})

var key = kit.KeyInBranch("A service credential", "nak_live_0123456789abcdef0123456789abcdef",
	kit.KeyPart{Name: "token_id", Description: tokenText, Valid: kit.IsGeneratedID})

// NewResource returns the managed resource neon_service_credential.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[model]{
		Name:     "service_credential",
		ListedBy: credentialNoun.ListedBy,
		Key:      key,
		Schema: schema.Schema{
			MarkdownDescription: "A credential with which programs use object storage, functions and the AI gateway of a " +
				"branch, and of its child branches. Its secrets are in no state and no plan file: read them with the ephemeral " +
				"resource `neon_service_credential_secret`. Destroying it revokes it for good.",
			Attributes: attributes(),
		},
		MovedFrom: map[string]string{"neondatabase/neon": "neon_service_credential"},
		Create: func(ctx context.Context, run kit.Run, plan model, save func(model)) error {
			branch := plan.Branch()
			created, err := run.API.CreateCredential(ctx, branch,
				client.CredentialCreate{Name: plan.Name.ValueString(), Scopes: textsOf(plan.Scopes)})
			if err != nil {
				return err
			}
			save(plan.with(&created.Object))
			warnOfNamesakes(run, created)
			return nil
		},
		FindAgain: kit.SameInBranch(read),
		Plan:      plan,
		Read:      read,
		Update: func(ctx context.Context, run kit.Run, state, plan model, save func(model)) error {
			if kit.Rotates(state.Triggers, plan.Triggers) {
				if err := run.API.RotateCredential(ctx, plan.Branch(), plan.TokenID.ValueString()); client.IsLost(err) {
					return kit.Advise(err, "It keeps its id in any case. Apply again: then it gets new secrets, once more if it has "+
						"some already. neon_service_credential_secret reveals the present ones.")
				} else if err != nil {
					return err
				}
			}
			save(plan)
			return nil
		},
		Delete: func(ctx context.Context, run kit.Run, state model) error {
			return run.API.RevokeCredential(ctx, state.Branch(), state.TokenID.ValueString())
		},
	})
}

// warnOfNamesakes warns of credentials that had the same name before the creation: a killed run may have left them.
func warnOfNamesakes(run kit.Run, created *client.Answer[client.Credential]) {
	if ids := kit.TextsOf(created.Namesakes, func(c client.Credential) string { return c.TokenID }); len(ids) > 0 {
		run.Warn("Other service credentials of the same name as "+created.Object.TokenID, fmt.Sprintf("Service credential "+
			"%s was created. These of the branch are named %s too, and were there before. A run that was killed may have left "+
			"them, but programs may also use them: look at them in the web console before you revoke any there: %s.",
			created.Object.TokenID, kit.Quoted(created.Object.Name), strings.Join(ids, ", ")))
	}
}

func read(ctx context.Context, run kit.Run, state model) (model, error) {
	return kit.ReadInto(state.with)(run.API.GetSharedCredential(ctx, state.Branch(), state.TokenID.ValueString()))
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.ImmutableString(kit.ProjectText, kit.IDValidators()...),
		"branch_id":  kit.FollowedBranch(branchText),
		"name": kit.OptionalImmutableString("Name, 1 to 256 characters. Names need not be unique.",
			stringvalidator.UTF8LengthBetween(1, longestName)),
		"scopes": schema.SetAttribute{
			MarkdownDescription: scopesText + " One that was imported may keep others. Changing it replaces the resource.",
			Required:            true, ElementType: types.StringType,
			Validators:    []validator.Set{setvalidator.SizeBetween(1, mostScopes), kit.NoNulls{}},
			PlanModifiers: []planmodifier.Set{setplanmodifier.RequiresReplace()},
		},
		"rotation_triggers": schema.MapAttribute{
			MarkdownDescription: "Arbitrary values. A change makes Neon choose new secrets under the same `token_id`, and the " +
				"old ones stop working. Setting triggers for the first time, or removing all, changes nothing. A null value " +
				"counts as not set.",
			Optional: true, ElementType: types.StringType,
		},
		"secret_version": schema.Int64Attribute{
			MarkdownDescription: "A number that rises whenever this resource changes the secrets: with each rotation, and " +
				"with a new credential in place of this one. It isn't compared with what Neon has. Use it as the version of a " +
				"write-only attribute that takes one of the secrets.", Computed: true,
			PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
		},
		"token_id":   kit.ComputedString(tokenText),
		"id":         kit.ComputedString("`project_id/branch_id/token_id`."),
		"created_at": kit.ComputedTime("When it was created."),
	}
}

// knownScopes are the scopes that Neon gives to a new credential.
var knownScopes = []string{"storage:read", "storage:write", "ai_gateway:invoke", "functions:invoke"}

func scopeValidators() []validator.Set {
	return []validator.Set{setvalidator.SizeBetween(1, mostScopes), kit.NoNulls{},
		setvalidator.ValueStringsAre(stringvalidator.OneOf(knownScopes...))}
}

// plan refuses unknown scopes, except those that an imported credential already has. It plans secret_version, so that
// resources that use the secrets are updated with them.
func plan(ctx context.Context, p kit.Planning) {
	if p.IsDestruction() || p.Diags.HasError() {
		return
	}
	state, planned, _ := kit.ModelsOf[model](ctx, p)
	for _, scope := range planned.Scopes.Elements() {
		if kit.IsSet(scope) && !planned.Scopes.Equal(state.Scopes) && !slices.Contains(knownScopes, kit.Text(scope)) {
			p.Diags.AddAttributeError(path.Root("scopes"), "Unknown scope", kit.Quoted(kit.Text(scope))+
				" is no scope that Neon gives to a new credential. It gives "+
				strings.Join(knownScopes, ", ")+".")
		}
	}
	switch {
	case p.IsCreation(), p.Replaces(),
		!planned.BranchID.Equal(state.BranchID): // The version comes from the time of the creation.
	case len(kit.Triggers(state.Triggers)) > 0 && !isKnown(planned.Triggers): // The triggers may change or not.
		p.Set(ctx, path.Root("secret_version"), types.Int64Unknown())
	case kit.Rotates(state.Triggers, planned.Triggers):
		p.Set(ctx, path.Root("secret_version"), state.version()+1)
	case planned.Version.IsUnknown():
		p.Set(ctx, path.Root("secret_version"), state.version())
	}
}

func isKnown(triggers types.Map) bool {
	for _, trigger := range triggers.Elements() {
		if trigger.IsUnknown() {
			return false
		}
	}
	return !triggers.IsUnknown()
}

type model struct {
	kit.InBranch

	Name      types.String      `tfsdk:"name"`
	Scopes    types.Set         `tfsdk:"scopes"`
	Triggers  types.Map         `tfsdk:"rotation_triggers"`
	Version   types.Int64       `tfsdk:"secret_version"`
	TokenID   types.String      `tfsdk:"token_id"`
	ID        types.String      `tfsdk:"id"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
}

func (m model) with(credential *client.Credential) model {
	m.TokenID, m.ID = types.StringValue(credential.TokenID), m.IDOf(credential.TokenID)
	m.Name, m.Scopes, m.CreatedAt = kit.OptionalString(credential.Name), kit.SetOf(credential.Scopes),
		kit.OptionalTime(&credential.CreatedAt)
	m.Version = types.Int64Value(m.version())
	return m
}

// version returns secret_version, by default the second of the creation: a replacement gets a higher one.
func (m model) version() int64 {
	created, _ := m.CreatedAt.ValueRFC3339Time()
	return cmp.Or(m.Version.ValueInt64(), created.Unix())
}

func textsOf(scopes types.Set) []string {
	texts := kit.Texts(scopes.Elements())
	slices.Sort(texts)
	return texts
}

// NewListResource returns the list resource neon_service_credential: the credentials of a branch.
func NewListResource() framework.ListResource {
	return kit.NewListIn(kit.OfDefaultBranch, "service_credential", key,
		"Lists the service credentials of a branch that are valid, Neon's own too, in Neon's order.",
		(*client.Client).ListCredentials, model.with,
		func(credential client.Credential) (id, name string) {
			return credential.TokenID, cmp.Or(credential.Name, credential.ShortID)
		})
}
