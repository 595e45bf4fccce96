package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// apiKeyIdentity tells a personal key from all others. Terraform 1.12 keeps
// identities beside the state, and imports by them.
type apiKeyIdentity struct {
	KeyID types.String `tfsdk:"key_id"`
}

// orgAPIKeyIdentity tells a key of an organization from all others.
type orgAPIKeyIdentity struct {
	OrgID types.String `tfsdk:"org_id"`
	KeyID types.String `tfsdk:"key_id"`
}

// branchIdentity tells a branch from all others.
type branchIdentity struct {
	ProjectID types.String `tfsdk:"project_id"`
	BranchID  types.String `tfsdk:"branch_id"`
}

// identitySchema describes an identity of strings, all of which an import needs.
func identitySchema(descriptions map[string]string) identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for name, description := range descriptions {
		attributes[name] = identityschema.StringAttribute{RequiredForImport: true, Description: description}
	}
	return identityschema.Schema{Attributes: attributes}
}

// setIdentity sets the identity in an answer. An older Terraform has none.
func setIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, value any, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.Set(ctx, value)...)
	}
}
