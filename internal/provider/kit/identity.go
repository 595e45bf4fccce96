package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
)

// IdentitySchema describes an identity of strings, all of which an import needs.
func IdentitySchema(descriptions map[string]string) identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for name, description := range descriptions {
		attributes[name] = identityschema.StringAttribute{RequiredForImport: true, Description: description}
	}
	return identityschema.Schema{Attributes: attributes}
}

// SetIdentity sets the identity in an answer. An older Terraform has none.
func SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, value any, diags *diag.Diagnostics) {
	if identity != nil {
		diags.Append(identity.Set(ctx, value)...)
	}
}
