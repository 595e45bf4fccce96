// Package connectionuri is the URL by which a role connects to a database, and what can be
// done with one: change it between direct and pooled, write it to an env file.
package connectionuri

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewDataSource returns neon_connection_uri, for those who accept a password in their
// state.
func NewDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[model]{
		Name: "connection_uri",
		Schema: schema.Schema{
			MarkdownDescription: "The URL by which a role connects to a database, as Neon builds it. It holds the role's " +
				"password and is written to the state, where everybody who may read the state can read it. With Terraform 1.10 and " +
				"later the ephemeral resource of the same name keeps it out of the state.",
			Attributes: attributes(),
		},
		Read: read,
	})
}

// NewEphemeral returns neon_connection_uri, which leaves no trace.
func NewEphemeral() ephemeral.EphemeralResource {
	return kit.NewEphemeral(kit.Ephemeral[model]{
		Name: "connection_uri",
		Schema: ephemeralschema.Schema{
			MarkdownDescription: "The URL by which a role connects to a database, as Neon builds it. It holds the role's " +
				"password; neither the state nor a plan file ever holds it.",
			Attributes: kit.EphemeralAttributes(attributes()),
		},
		Open: read,
	})
}

func attributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.RequiredID("Id of the project."),
		"branch_id":  kit.OptionalID("Id of the branch. Defaults to the branch of `endpoint_id`, else to the project's default branch."),
		"endpoint_id": kit.OptionalID("Id of the compute endpoint to connect to. Defaults to the read-write endpoint of the branch; a branch " +
			"without one is an error."),
		"database_name": kit.RequiredText("Name of the database. Must not be empty."),
		"role_name":     kit.RequiredText("Name of the role that connects. Must not be empty."),
		"pooled": schema.BoolAttribute{
			MarkdownDescription: "Whether the connection goes through the pooler, which is for applications with many short " +
				"connections. Defaults to `false`, a direct connection, as migrations need it.",
			Optional: true,
		},
		"uri": kit.ReturnedSecret("URL for connections, with the role's password."),
	}
}

type model struct {
	ProjectID    types.String `tfsdk:"project_id"`
	BranchID     types.String `tfsdk:"branch_id"`
	EndpointID   types.String `tfsdk:"endpoint_id"`
	DatabaseName types.String `tfsdk:"database_name"`
	RoleName     types.String `tfsdk:"role_name"`
	Pooled       types.Bool   `tfsdk:"pooled"`
	URI          types.String `tfsdk:"uri"`
}

func read(ctx context.Context, platform *kit.Platform, m *model, diags *diag.Diagnostics) {
	api := platform.Control(diags)
	if api == nil {
		return
	}
	uri, err := api.ConnectionURI(ctx, m.ProjectID.ValueString(), client.ConnectionURIQuery{
		BranchID: m.BranchID.ValueString(), EndpointID: m.EndpointID.ValueString(),
		DatabaseName: m.DatabaseName.ValueString(), RoleName: m.RoleName.ValueString(), Pooled: m.Pooled.ValueBool(),
	})
	if err != nil {
		m.addError(diags, err)
		return
	}
	m.URI = types.StringValue(uri)
}

// addError attaches the error to the attribute whose object Neon doesn't find.
func (m *model) addError(diags *diag.Diagnostics, err error) {
	const summary = "Unable to read connection URI"
	var answer *client.Error
	if errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound {
		named := map[string]types.String{
			"branch_id": m.BranchID, "endpoint_id": m.EndpointID, "database_name": m.DatabaseName, "role_name": m.RoleName,
		}
		for attribute, value := range named {
			noun, _, _ := strings.Cut(attribute, "_")
			if strings.HasPrefix(strings.ToLower(answer.Message), noun+" not found") && !value.IsNull() {
				kit.AddAttributeError(diags, path.Root(attribute), summary, fmt.Errorf("%s has no %s %s: %w", m.place(attribute), noun, kit.Quoted(value.ValueString()), err))
				return
			}
		}
	}
	kit.AddListError(diags, summary, err)
}

// place is where an attribute's object was looked for.
func (m *model) place(attribute string) string {
	switch {
	case attribute == "branch_id" || attribute == "endpoint_id":
		return "project " + m.ProjectID.ValueString()
	case !m.BranchID.IsNull():
		return "branch " + m.BranchID.ValueString()
	case !m.EndpointID.IsNull():
		return "the branch of endpoint " + m.EndpointID.ValueString()
	}
	return "the default branch of project " + m.ProjectID.ValueString()
}
