// Package connectionuri is the URL by which a role connects to a database, and functions on it: direct and pooled form,
// and the text of an env file.
package connectionuri

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
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

const withoutPassword = " Neon's URLs have none for a role that can't log in, and of a project that doesn't store " +
	"passwords (`store_passwords = false`); a warning says so."

// NewDataSource returns the data source neon_connection_uri, which keeps the password in the state.
func NewDataSource() datasource.DataSource {
	return kit.NewDataSource(kit.DataSource[model]{
		Name: "connection_uri",
		Schema: schema.Schema{
			MarkdownDescription: "The URL by which a role connects to a database. It holds the role's password and **is " +
				"written to the state**. The ephemeral resource of the same name (Terraform 1.10, OpenTofu 1.11) " +
				"keeps it out." + withoutPassword,
			Attributes: attributes(),
		},
		Read: read,
	})
}

// NewEphemeral returns the ephemeral resource neon_connection_uri, which is in no state and no plan file.
func NewEphemeral() ephemeral.EphemeralResource {
	attributes := connectionAttributes()
	maps.Copy(attributes, map[string]schema.Attribute{
		"uri": kit.ReturnedSecret("URL for direct connections, as migrations need them, with the role's password."),
		"uri_pooled": kit.ReturnedSecret("URL for connections through the pooler, which is for applications with many " +
			"short connections, with the role's password."),
		"host":        kit.ReturnedString("Host name for direct connections."),
		"pooler_host": kit.ReturnedString("Host name for connections through the pooler."),
		"port":        kit.ReturnedInt("Port of both."),
		"user":        kit.ReturnedString("Name of the role, as in the URLs."),
		"password": kit.ReturnedSecret("Password of the role, without the URLs' percent-encoding. Null if Neon doesn't " +
			"know it."),
		"database": kit.ReturnedString("Name of the database, as in the URLs."),
	})
	ephemeralAttributes := map[string]ephemeralschema.Attribute{
		"after": kit.After("[neon_role.app.id, neon_database.app.id]"),
	}
	for name, attribute := range attributes {
		ephemeralAttributes[name] = attribute
	}
	return kit.NewEphemeral(kit.Ephemeral[ephemeralModel]{
		Name: "connection_uri",
		Schema: ephemeralschema.Schema{
			MarkdownDescription: "The URLs by which a role connects to a database, direct and pooled, as Neon builds them, " +
				"and what they consist of. They hold the role's password; neither the state nor a plan file ever holds it." +
				withoutPassword,
			Attributes: ephemeralAttributes,
		},
		Open: open,
	})
}

func attributes() map[string]schema.Attribute {
	attributes := connectionAttributes()
	attributes["pooled"] = kit.OptionalBool("Whether the connection goes through the pooler, which is for applications " +
		"with many short connections. Defaults to `false`, a direct connection, as migrations need it.")
	attributes["uri"] = kit.ReturnedSecret("URL for connections, with the role's password.")
	return attributes
}

// connectionAttributes returns the attributes that choose a connection.
func connectionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": kit.RequiredID(kit.ProjectText),
		"branch_id": kit.OptionalID("Id of the branch. Defaults to the branch of `endpoint_id`, else to the project's " +
			"default branch."),
		"endpoint_id": kit.OptionalID("Id of the compute endpoint to connect to. Defaults to the read-write endpoint of " +
			"the branch; a branch without one is an error."),
		"database_name": kit.RequiredText("Name of the database. Must not be empty."),
		"role_name":     kit.RequiredText("Name of the role that connects. Must not be empty."),
	}
}

// connection is the model of connectionAttributes.
type connection struct {
	ProjectID    types.String `tfsdk:"project_id"`
	BranchID     types.String `tfsdk:"branch_id"`
	EndpointID   types.String `tfsdk:"endpoint_id"`
	DatabaseName types.String `tfsdk:"database_name"`
	RoleName     types.String `tfsdk:"role_name"`
}

type model struct {
	connection

	Pooled types.Bool   `tfsdk:"pooled"`
	URI    types.String `tfsdk:"uri"`
}

func read(ctx context.Context, run kit.Run, m *model) {
	m.URI = types.StringValue(m.read(ctx, run, m.Pooled.ValueBool(), noAdvice))
}

// read returns the URL of the connection. On an error it adds a diagnostic and returns ""; advice returns what to do if
// Neon doesn't find the object of a resource.
func (m *connection) read(ctx context.Context, run kit.Run, pooled bool, advice func(resource string) string) string {
	api := run.API
	uri, err := api.GetSharedConnectionURI(ctx, m.ProjectID.ValueString(), client.ConnectionURIQuery{
		BranchID: m.BranchID.ValueString(), EndpointID: m.EndpointID.ValueString(),
		DatabaseName: m.DatabaseName.ValueString(), RoleName: m.RoleName.ValueString(), Pooled: pooled,
	})
	if err != nil {
		m.addError(ctx, api, run.Diags, err, advice)
		return ""
	}
	if parts, err := url.Parse(uri); err == nil && parts.User != nil {
		if password, _ := parts.User.Password(); password == "" {
			m.warnNoPassword(ctx, api, run.Diags)
		}
	}
	return uri
}

// warnNoPassword explains why the URL has no password: a client that connects with it only sees a failed login.
func (m *connection) warnNoPassword(ctx context.Context, api *client.Client, diags *diag.Diagnostics) {
	const (
		unstored = "the project was created with store_passwords = false, so Neon doesn't know it. Reset the role's " +
			"password in Neon's console, which shows the new one once, and give it to what connects, such as by a " +
			"variable with sensitive = true."
		noLogin = "a role that was created with no_login = true has none. Choose one that can log in."
	)
	why := "Either " + unstored + " Or " + noLogin
	if project, err := api.GetSharedProject(ctx, m.ProjectID.ValueString()); err == nil {
		why = kit.Sentence(noLogin)
		if !project.StorePasswords {
			why = kit.Sentence(unstored)
		}
	}
	diags.AddAttributeWarning(path.Root("role_name"), "Connection URI without a password", fmt.Sprintf(
		"Neon's URL for role %s on %s has no password: nothing can log in with it as it is. %s",
		kit.Quoted(m.RoleName.ValueString()), m.place("role_name"), why))
}

type ephemeralModel struct {
	connection

	After      types.List   `tfsdk:"after"`
	URI        types.String `tfsdk:"uri"`
	URIPooled  types.String `tfsdk:"uri_pooled"`
	Host       types.String `tfsdk:"host"`
	PoolerHost types.String `tfsdk:"pooler_host"`
	Port       types.Int64  `tfsdk:"port"`
	User       types.String `tfsdk:"user"`
	Password   types.String `tfsdk:"password"`
	Database   types.String `tfsdk:"database"`
}

// open reads the direct URL, and derives the pooled one, which differs only in the host name.
func open(ctx context.Context, run kit.Run, m *ephemeralModel) {
	direct := m.read(ctx, run, false, kit.AfterAdvice)
	if run.Diags.HasError() {
		return
	}
	pooled := client.PooledConnectionString(direct)
	parts, err := url.Parse(direct)
	pooler, poolerErr := url.Parse(pooled)
	if err != nil || poolerErr != nil || parts.User == nil { // The errors would show the URL with its password.
		run.Diags.AddError(unableToRead, "Neon's answer isn't a connection URL with a user and a password.")
		return
	}
	password := types.StringNull()
	if text, _ := parts.User.Password(); text != "" {
		password = types.StringValue(text)
	}
	port, err := strconv.ParseInt(parts.Port(), 10, 64)
	if err != nil {
		port = postgresPort
	}
	m.URI, m.URIPooled = types.StringValue(direct), types.StringValue(pooled)
	m.Host, m.PoolerHost, m.Port = types.StringValue(parts.Hostname()), types.StringValue(pooler.Hostname()),
		types.Int64Value(port)
	m.User, m.Password = types.StringValue(parts.User.Username()), password
	m.Database = types.StringValue(strings.TrimPrefix(parts.Path, "/"))
}

const (
	unableToRead = "Unable to read connection URI"
	// postgresPort is PostgreSQL's default, for a URL without a port.
	postgresPort = 5432
)

// addError adds the error to the attribute whose object Neon doesn't find.
func (m *connection) addError(
	ctx context.Context, api *client.Client, diags *diag.Diagnostics, err error, advice func(resource string) string,
) {
	var answer *client.Error
	if errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound {
		if strings.HasPrefix(strings.ToLower(answer.Message), "endpoint not found") && m.addNoEndpoint(ctx, api, diags, err) {
			return
		}
		named := map[string]types.String{
			"branch_id": m.BranchID, "endpoint_id": m.EndpointID, "database_name": m.DatabaseName, "role_name": m.RoleName,
		}
		for attribute, value := range named {
			noun, _, _ := strings.Cut(attribute, "_")
			if strings.HasPrefix(strings.ToLower(answer.Message), noun+" not found") && !value.IsNull() {
				err = m.adviseNamed(ctx, api, noun, err, advice)
				kit.AddAttributeError(diags, path.Root(attribute), unableToRead,
					fmt.Errorf("%s has no %s %s: %w", m.place(attribute), noun, kit.Quoted(value.ValueString()), err))
				return
			}
		}
	}
	kit.AddListError(diags, unableToRead, err)
}

func noAdvice(string) string { return "" }

// adviseNamed lists the databases or roles of the branch if it doesn't have the configured one.
func (m *connection) adviseNamed(
	ctx context.Context, api *client.Client, noun string, refusal error, advice func(resource string) string,
) error {
	if noun != "database" && noun != "role" {
		return refusal
	}
	branch := client.BranchRef{ProjectID: m.ProjectID.ValueString(), ID: m.lookedIn(ctx, api)}
	var names []string // If they can't be read, the advice only lacks them.
	if noun == "role" {
		roles, _ := client.All(api.ListRoles(ctx, branch))
		names = kit.TextsOf(roles, func(role client.Role) string { return kit.Quoted(role.Name) })
	} else {
		databases, _ := client.All(api.ListDatabases(ctx, branch))
		names = kit.TextsOf(databases, func(database client.Database) string { return kit.Quoted(database.Name) })
	}
	has := "Check " + noun + "_name."
	if len(names) > 0 {
		has = fmt.Sprintf("Branch %s has these %ss: %s.", branch.ID, noun, strings.Join(names, ", "))
	}
	return kit.Advise(refusal, strings.TrimSpace(has+" "+advice("neon_"+noun)))
}

// lookedIn returns the id of the connection's branch, or "" if it can't be read.
func (m *connection) lookedIn(ctx context.Context, api *client.Client) string {
	switch {
	case !m.BranchID.IsNull():
		return m.BranchID.ValueString()
	case !m.EndpointID.IsNull():
		if endpoint, err := api.GetSharedEndpoint(ctx, kit.RefOf[client.Endpoint](m.ProjectID, m.EndpointID)); err == nil {
			return endpoint.BranchID
		}
	default:
		if branch, err := api.GetDefaultBranch(ctx, m.ProjectID.ValueString()); err == nil {
			return branch.ID
		}
	}
	return ""
}

// addNoEndpoint explains that the branch has no read_write endpoint, or that the endpoint is another branch's. It
// returns false if neither is the cause.
func (m *connection) addNoEndpoint(
	ctx context.Context, api *client.Client, diags *diag.Diagnostics, refusal error,
) bool {
	at := path.Root("project_id")
	if !m.BranchID.IsNull() {
		at = path.Root("branch_id")
	}
	if m.EndpointID.IsNull() {
		kit.AddAttributeError(diags, at, unableToRead, kit.Advise(fmt.Errorf("%s has no read_write endpoint, so nothing "+
			"can connect to it (%w)", m.place("endpoint"), refusal),
			"Give it one, with endpoints = { primary = { type = \"read_write\" } } of its neon_branch, or with a "+
				"neon_endpoint."))
		return true
	}
	endpoint, err := api.GetSharedEndpoint(ctx, kit.RefOf[client.Endpoint](m.ProjectID, m.EndpointID))
	if err != nil || m.BranchID.IsNull() || endpoint.BranchID == m.BranchID.ValueString() {
		return false
	}
	kit.AddAttributeError(diags, path.Root("endpoint_id"), unableToRead, kit.Advise(fmt.Errorf("endpoint_id %s is an "+
		"endpoint of branch %s, and not of branch_id %s (%w)",
		endpoint.ID, endpoint.BranchID, m.BranchID.ValueString(), refusal), "Leave branch_id out, or name an endpoint of "+
		"that branch."))
	return true
}

// place describes where Neon looked for an attribute's object, such as "branch br-1".
func (m *connection) place(attribute string) string {
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
