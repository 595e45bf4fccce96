package credential

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	noun = "service credential"
	// markLength is the length of the random suffix that makes the name unique to a run.
	markLength = 10
)

// NewEphemeral returns the ephemeral resource neon_service_credential: a credential for one run.
func NewEphemeral() ephemeral.EphemeralResource {
	return kit.NewForRun(kit.ForRun[ephemeralModel, openCredential]{
		Name: "service_credential", Noun: noun,
		Schema: schema.Schema{
			MarkdownDescription: "A service credential for one run, revoked at the end of the plan or apply, even when that " +
				"fails. Neither the state nor a plan file ever holds it. What uses it after the run needs the resource of the " +
				"same name.",
			Attributes: map[string]schema.Attribute{
				"project_id": kit.RequiredID(kit.ProjectText),
				"branch_id":  kit.RequiredID(branchText),
				"scopes": schema.SetAttribute{
					MarkdownDescription: scopesText, Required: true, ElementType: types.StringType, Validators: scopeValidators(),
				},
				"name": kit.OptionalText("Beginning of its name, 1 to 240 characters. Defaults to `terraform`. The end is random: "+
					"by that a run knows its own credential.", stringvalidator.UTF8LengthBetween(1, longestName-16)),
				"token_id":             kit.ReturnedString(tokenText),
				"api_token":            kit.ReturnedSecret(apiText),
				"s3_secret_access_key": kit.ReturnedSecret(s3Text),
			},
		},
		Open: open, Close: revoke,
	})
}

type secretsModel struct {
	kit.InBranch

	TokenID  types.String `tfsdk:"token_id"`
	APIToken types.String `tfsdk:"api_token"`
	S3Secret types.String `tfsdk:"s3_secret_access_key"`
}

func (m *secretsModel) set(secrets client.CredentialSecrets) {
	m.APIToken, m.S3Secret = types.StringValue(secrets.APIToken), types.StringValue(secrets.S3SecretAccessKey)
}

type ephemeralModel struct {
	secretsModel

	Scopes types.Set    `tfsdk:"scopes"`
	Name   types.String `tfsdk:"name"`
}

// openCredential holds what is needed to revoke the credential.
type openCredential struct{ ProjectID, BranchID, TokenID, Name string }

// String returns the credential's id.
func (o openCredential) String() string { return o.TokenID }

func open(ctx context.Context, run kit.Run, m *ephemeralModel) *openCredential {
	const summary = "Unable to create " + noun
	name := "terraform"
	if !m.Name.IsNull() {
		name = m.Name.ValueString()
	}
	name += "-" + strings.ToLower(rand.Text()[:markLength])
	branch := m.Branch()
	created, err := run.API.CreateCredential(ctx, branch,
		client.CredentialCreate{Name: name, Scopes: textsOf(m.Scopes)})
	if err != nil {
		kit.AddError(run.Diags, summary, lostAdvice(err, name))
		return nil
	}
	credential := &created.Object
	made := &openCredential{branch.ProjectID, branch.ID, credential.TokenID, name}
	if credential.APIToken == "" { // The answer with the secrets was lost.
		secrets, err := run.API.RevealCredential(ctx, branch, credential.TokenID)
		if err != nil {
			kit.AddError(run.Diags, summary, err)
			return made // It is revoked at the end of the run.
		}
		credential.CredentialSecrets = *secrets
	}
	m.TokenID = types.StringValue(credential.TokenID)
	m.set(credential.CredentialSecrets)
	return made
}

// lostAdvice says how to find the credential that may exist after a lost answer.
func lostAdvice(err error, name string) error {
	if !client.IsLost(err) {
		return err
	}
	return kit.Advise(err, fmt.Sprintf("If it was created, its name is %s, and nobody has its secrets: look in the web "+
		"console, and revoke it there. Then run Terraform again.", name))
}

func revoke(ctx context.Context, run kit.Run, o openCredential) {
	branch := client.BranchRef{ProjectID: o.ProjectID, ID: o.BranchID}
	if err := run.API.RevokeCredential(ctx, branch, o.TokenID); err != nil {
		run.Warn(fmt.Sprintf("Service credential %s may still be valid", o.TokenID), fmt.Sprintf(
			"It is named %s, was created for this run and could not be revoked. Revoke it in the web console, or with:\n  "+
				"%s\n\n%s",
			kit.Quoted(o.Name), run.API.CredentialRevocationCommand(branch, o.TokenID), kit.Describe(err, nil)))
	}
}

// NewSecretEphemeral returns neon_service_credential_secret: the secrets of a service credential.
func NewSecretEphemeral() ephemeral.EphemeralResource {
	return kit.NewEphemeral(kit.Ephemeral[secretsModel]{
		Name: "service_credential_secret",
		Schema: schema.Schema{
			MarkdownDescription: "The secrets of a service credential. Neither the state nor a plan file ever holds them: " +
				"pass them to write-only attributes or to a provider.",
			Attributes: map[string]schema.Attribute{
				"project_id":           kit.RequiredID(kit.ProjectText),
				"branch_id":            kit.RequiredID("Id of the branch that the credential was created for."),
				"token_id":             kit.RequiredText(tokenText),
				"api_token":            kit.ReturnedSecret(apiText),
				"s3_secret_access_key": kit.ReturnedSecret(s3Text),
			},
		},
		Open: func(ctx context.Context, run kit.Run, m *secretsModel) {
			secrets, err := run.API.RevealCredential(ctx, m.Branch(), m.TokenID.ValueString())
			switch {
			case client.HasStatus(err, http.StatusConflict):
				err = kit.Advise(err, "It was created before Neon kept secrets. Make Neon choose new ones: rotation_triggers of "+
					"neon_service_credential, or the action neon_rotate_service_credential.")
			case client.IsMissing(err) && !client.IsAbsent(err):
				err = kit.Advise(err, "Check branch_id and token_id: a credential that was revoked or has expired has no secrets.")
			}
			if err != nil {
				kit.AddError(run.Diags, "Unable to reveal service credential", err)
				return
			}
			m.set(*secrets)
		},
	})
}
