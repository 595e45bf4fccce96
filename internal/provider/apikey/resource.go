package apikey

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var noun = kit.Introduce(kit.Noun{Called: "API key", ListedBy: "api_keys", Advise: adviseRights})

// adviseRights explains which keys may create and revoke keys.
func adviseRights(err error) string {
	var answer *client.Error
	if !errors.As(err, &answer) || answer.StatusCode != http.StatusForbidden ||
		!strings.Contains(answer.Path, "/api_keys") {
		return ""
	}
	return "The API key isn't allowed to do this. Keys can only be made with a personal key, organization keys only by " +
		"an administrator of the organization; a project-scoped key works in its own project only."
}

var personalKey = kit.Key{
	Rule:  "A personal API key is imported by its id, a whole number such as 1234567",
	Parts: []kit.KeyPart{{Name: "id", Description: idText, Valid: isKeyID}},
}

// NewResource returns neon_api_key: a personal API key.
func NewResource() resource.Resource {
	return kit.NewResource(kit.Resource[personalModel]{
		Name:     "api_key",
		First:    "created_at created_by id key name rotation_triggers",
		Called:   noun.Called,
		ListedBy: noun.ListedBy,
		Key:      personalKey,
		Schema: schema.Schema{
			MarkdownDescription: "A personal API key: it has all permissions of its user, in all organizations. Destroying it " +
				"revokes the key for good.",
			Attributes: personalAttributes(),
		},
		MovedFrom:  kit.MovedAs("neon_api_key", "kislerdm/neon", "kenchan0130/neon", "neondatabase/neon"),
		MovedTexts: []string{"key"},
		Plan: func(ctx context.Context, p kit.Planning) {
			warnOfRevocation(ctx, p, "", "name")
		},
		Create: func(ctx context.Context, run kit.Run, plan personalModel, save func(personalModel)) error {
			return plan.create(ctx, run, client.APIKeyScope{}, func() { save(plan) })
		},
		Read: func(ctx context.Context, run kit.Run, state personalModel) (personalModel, error) {
			_, err := state.refresh(ctx, run, state.scope())
			return state, err
		},
		Delete: func(ctx context.Context, run kit.Run, state personalModel) error {
			return run.API.RevokeAPIKey(ctx, state.scope(), state.number())
		},
	})
}

const idText = "Id of the key, a whole number."

func personalAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the key, 1 to 64 characters. Names need not be unique. Changing it replaces the key.",
			Required:            true,
			Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"rotation_triggers": schema.MapAttribute{
			MarkdownDescription: "Arbitrary values. Any change replaces the key, which revokes the old one. A null value " +
				"counts as not set, an empty map as no map. The first triggers of an imported key don't replace it.",
			Optional:    true,
			ElementType: types.StringType,
			PlanModifiers: []planmodifier.Map{mapplanmodifier.RequiresReplaceIf(replaceOnRotation,
				"A change replaces the key, unless it was imported and has no triggers yet.",
				"A change replaces the key, unless it was imported and has no triggers yet.")},
		},
		"id": kit.ComputedString(idText),
		"key": kit.ComputedSecret("The secret token, which the state keeps. Neon shows it only once, when the key is " +
			"created, so it is null after an import. If it is lost, [replace the " +
			"key](../guides/api-keys.md#a-key-for-a-pipeline)."),
		"created_at": kit.ComputedTime("When the key was created."),
		"created_by": kit.ComputedString("Id of the user who created the key."),
	}
}

// warnOfRevocation warns that a replacement revokes the present key, and says what is different about the new one.
func warnOfRevocation(ctx context.Context, p kit.Planning, different string, replacing ...string) {
	if !p.IsChange() {
		return
	}
	var key types.String
	var present, planned types.Map
	p.Diags.Append(p.State.GetAttribute(ctx, path.Root("key"), &key)...)
	p.Diags.Append(p.State.GetAttribute(ctx, path.Root("rotation_triggers"), &present)...)
	p.Diags.Append(p.Plan.GetAttribute(ctx, path.Root("rotation_triggers"), &planned)...)
	if rotates(key, present, planned) {
		replacing = append(replacing, "rotation_triggers")
	}
	id, name := p.TextOf("id"), p.TextOf("name")
	p.WarnOfLoss(ctx, replacing, "An API key will be revoked ("+id+")", fmt.Sprintf("Neon revokes key %s "+
		"(%s), and its token is refused at once wherever it is used. The new key has another token.%s", id, kit.Quoted(name),
		different))
}

// create creates the key and saves it. If Neon's answer lacks the time or the creator, it reads the key once more. An
// error of that read doesn't fail the creation: a later refresh reads them.
func (m *personalModel) create(ctx context.Context, run kit.Run, scope client.APIKeyScope, save func()) error {
	created, err := run.API.CreateAPIKey(ctx, scope, m.Name.ValueString())
	if err != nil {
		return adviseCreation(err)
	}
	warnOfLeftovers(run.Diags, created)
	m.Key = types.StringValue(created.Object.Key)
	m.read(&created.Object)
	save()
	if !m.CreatedAt.IsNull() && !m.CreatedBy.IsNull() {
		return nil
	}
	if key, err := run.API.GetSharedAPIKey(ctx, scope, m.number()); err == nil {
		m.read(key)
		save()
	}
	return nil
}

// refresh reads the key. For a key that was just imported, it warns that Neon never shows the token again.
func (m *personalModel) refresh(
	ctx context.Context, run kit.Run, scope client.APIKeyScope,
) (*client.APIKey, error) {
	key, err := run.API.GetSharedAPIKey(ctx, scope, m.number())
	if err != nil {
		return nil, err
	}
	if m.Name.IsNull() && m.Key.IsNull() {
		run.Warn("An imported key has no token ("+m.ID.ValueString()+")", "Neon shows a key's token only when it creates "+
			"the key, so key stays null. Where the configuration needs the token, let Terraform create another key, and "+
			"revoke this one once nothing uses it.")
	}
	m.read(key)
	return key, nil
}
