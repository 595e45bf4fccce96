package emulator

import (
	"fmt"
	"strings"
)

// loopbackAddress is where all hosts of connection strings are, whatever the resolver says.
const loopbackAddress = "127.0.0.1"

// showConnection answers with how to connect to a database, password included.
func (e *Emulator) showConnection(c *call) (reply, error) {
	p, endpoint := e.world.endpoint(c.PathValue("endpoint_id"))
	if endpoint == nil {
		return reply{}, notFound("there is no endpoint %q", c.PathValue("endpoint_id"))
	}
	b := p.Branches[endpoint.BranchID]
	r, d := b.role(c.PathValue("role_name")), b.database(c.PathValue("database_name"))
	switch {
	case r == nil:
		return reply{}, errNoRole(b, c.PathValue("role_name"))
	case d == nil:
		return reply{}, notFound("there is no database %q on the branch %s", c.PathValue("database_name"), b.Name)
	}
	uri := e.connectionString(endpoint.Host, r, d, controlParameters)
	return ok(map[string]string{"uri": uri, "command": psql(uri)})
}

// psql is the command that connects to a database.
func psql(uri string) string { return fmt.Sprintf("PGHOSTADDR=%s psql '%s'", loopbackAddress, uri) }

// plainText is an answer that isn't JSON.
type plainText string

// showEnvironment answers with lines of shell that point programs at the first project.
func (e *Emulator) showEnvironment(c *call) (reply, error) {
	return ok(plainText(e.environment("http://" + c.Host)))
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
	var lines strings.Builder
	for _, variable := range [][2]string{
		{"NEON_BASE_URL", base},
		{"NEON_CLAIM_BASE_URL", base},
		{"NEON_API_KEY", e.world.secret(first.APIKey)},
		{"NEON_ORG_ID", first.OrgID},
		{"NEON_PROJECT_ID", first.ProjectID},
		// The hosts of connection strings end in .localhost, which not every resolver knows.
		{"PGHOSTADDR", loopbackAddress},
	} {
		_, _ = fmt.Fprintf(&lines, "export %s=%s\n", variable[0], variable[1])
	}
	return lines.String()
}
