package emulator

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// showConnection answers with how to connect to a database, password included.
func (e *Emulator) showConnection(c *call) (reply, error) {
	p, endpoint := e.world.endpoint(c.PathValue("endpoint_id"))
	if endpoint == nil {
		return reply{}, wire.NotFound("there is no endpoint %q", c.PathValue("endpoint_id"))
	}
	b := p.Branches[endpoint.BranchID]
	roleName, databaseName := c.nameOf("role_name"), c.nameOf("database_name")
	r, d := b.role(roleName), b.database(databaseName)
	switch {
	case r == nil:
		return reply{}, errNoRole(b, roleName)
	case d == nil:
		return reply{}, wire.NotFound("there is no database %q on the branch %s", databaseName, b.Name)
	}
	uri := e.connectionString(endpoint.Host, r, d, controlParameters)
	return ok(map[string]string{"uri": uri, "command": psql(uri),
		"uri_for_any_driver": e.stringForAny(e.hostFor(c.Host), endpoint.Host, r, d)})
}

// hostFor is a name of this machine, for who knows it by the host of a URL, that any resolver takes for it.
func (e *Emulator) hostFor(host string) string {
	if name := hostname(host); !loopback(name) {
		return cmp.Or(e.config.ConnectHost, name)
	}
	return cmp.Or(e.config.ConnectHost, "localhost")
}

// connectionPath is where the control path has it. A browser takes a name of dots for a step in the
// path, escaped or not, so that it goes into the query.
func connectionPath(endpointID, roleName, databaseName string) string {
	path, query := "/_emulator/connections/"+url.PathEscape(endpointID), url.Values{}
	for _, part := range [][2]string{{"role_name", roleName}, {"database_name", databaseName}} {
		parameter, name := part[0], part[1]
		if name == "." || name == ".." {
			query.Set(parameter, name)
			name = "-"
		}
		path += "/" + url.PathEscape(name)
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// nameOf is a name in the query, or else in the path.
func (c *call) nameOf(parameter string) string {
	return cmp.Or(c.query(parameter), c.PathValue(parameter))
}

// psql is the command that connects to a database.
func psql(uri string) string { return fmt.Sprintf("PGHOSTADDR=%s psql '%s'", loopbackAddress, uri) }

func plainText(text string) wire.File {
	return wire.File{Content: []byte(text), Type: "text/plain; charset=utf-8"}
}

// showEnvironment answers with lines of shell that point programs at the first project.
func (e *Emulator) showEnvironment(c *call) (reply, error) {
	return ok(plainText(e.environment("http://" + c.Host)))
}

func (e *Emulator) showAuthority(*call) (reply, error) {
	gateway := e.databases.Gateway()
	if gateway == nil {
		return reply{}, wire.NotFound("the emulator serves no database")
	}
	return ok(plainText(string(gateway.Authority())))
}

// Environment returns the lines of shell that point the provider, the official command
// line and psql at the first project of the emulator at a base URL.
func (e *Emulator) Environment(base string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.environment(base)
}

func (e *Emulator) environment(base string) string {
	first := e.world.First
	values := map[string]string{
		"NEON_BASE_URL":       base,
		"NEON_CLAIM_BASE_URL": base,
		"CLAIMABLE_NEON_HOST": claimableHost(base),
		"NEON_API_KEY":        e.world.secret(first.APIKey),
		"NEON_ORG_ID":         first.OrgID,
		"NEON_PROJECT_ID":     first.ProjectID,
		"DATABASE_URL":        e.firstDatabase(e.hostFor(strings.TrimPrefix(base, "http://"))),
	}
	var lines strings.Builder
	for _, name := range EnvironmentNames() {
		// An empty address hides one that the shell has already: tests must not reach a database that isn't the emulator's.
		if values[name] != "" || name == "DATABASE_URL" {
			_, _ = fmt.Fprintf(&lines, "export %s=%s\n", name, values[name])
		}
	}
	return lines.String()
}

// EnvironmentNames are those that Environment may set. Each is Neon's alone: one of PostgreSQL, such as PGHOSTADDR,
// would lead all other connections of the shell to this machine.
func EnvironmentNames() []string {
	return []string{
		"NEON_BASE_URL", "NEON_CLAIM_BASE_URL", "CLAIMABLE_NEON_HOST", "NEON_API_KEY", "NEON_ORG_ID", "NEON_PROJECT_ID",
		"DATABASE_URL",
	}
}

// claimableHost is the address of Claimable Neon for Neon's command line, which takes http from localhost alone.
func claimableHost(base string) string {
	if address, err := url.Parse(base); err == nil && loopback(address.Hostname()) && address.Port() != "" {
		return "http://localhost:" + address.Port()
	}
	return base
}

// firstDatabase is the address for any driver of the database that the world began with; empty where it is gone, or
// none is served.
func (e *Emulator) firstDatabase(at string) string {
	first := e.world.First
	_, endpoint := e.world.endpoint(first.EndpointID)
	if endpoint == nil || e.databases == nil {
		return ""
	}
	b := e.world.Projects[first.ProjectID].Branches[endpoint.BranchID]
	r, d := b.role(first.RoleName), b.database(first.DatabaseName)
	if r == nil || d == nil {
		return ""
	}
	return e.stringForAny(at, endpoint.Host, r, d)
}
