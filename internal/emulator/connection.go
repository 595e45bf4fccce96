package emulator

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var connectionRoutes = []route{{"GET " + projectPath + "/connection_uri", forProject, (*Emulator).connectionURI}}

// pooled is the host name by which an endpoint's pooler is reached: the first
// label with -pooler after it.
func pooled(host string) string {
	first, rest, _ := strings.Cut(host, ".")
	return first + "-pooler." + rest
}

// connectionString is an address of a database. The parameters say that TLS and
// channel binding are wanted; the two APIs write them in different orders.
func (e *Emulator) connectionString(host string, r *role, d *database, parameters string) string {
	if e.config.ConnectHost != "" {
		return e.stringForAny(e.config.ConnectHost, host, r, d)
	}
	return e.address(host, r, d, parameters)
}

// address is the one of a database at a host, with a role's password.
func (e *Emulator) address(host string, r *role, d *database, parameters string) string {
	u := url.URL{Scheme: "postgresql", Host: e.databases.At(host), Path: "/" + d.Name, RawQuery: parameters}
	e.world.secret(r.Password)
	return e.world.secret(strings.Replace(u.String(), "//", "//"+plainToShells.Replace(r.userinfo().String())+"@", 1))
}

// plainToShells escapes what a URL may have before its host, and a shell takes for the end of a word, or for a
// variable: the environment has its lines without quotes.
var plainToShells = strings.NewReplacer("$", "%24", "&", "%26", ";", "%3B")

// stringForAny is an address of a database for drivers that don't resolve the host's name, or don't take the emulator's
// certificate: it leads to another name of this machine, asks for no TLS, and names the endpoint in an option.
func (e *Emulator) stringForAny(at, host string, r *role, d *database) string {
	endpoint, _, _ := strings.Cut(host, ".")
	return e.address(at, r, d, "options=endpoint%3D"+endpoint)
}

func (r *role) userinfo() *url.Userinfo {
	if r.NoLogin {
		return url.User(r.Name)
	}
	return url.UserPassword(r.Name, r.Password)
}

const controlParameters = "sslmode=require&channel_binding=require"

func (e *Emulator) connection(endpoint *endpoint, r *role, d *database) object {
	return object{
		"connection_uri": e.connectionString(endpoint.Host, r, d, controlParameters),
		"connection_parameters": map[string]string{
			"database": d.Name, "password": r.Password, "role": r.Name, "host": endpoint.Host,
			"pooler_host": pooled(endpoint.Host),
		},
	}
}

func (e *Emulator) connectionURI(c *call) (reply, error) {
	b, endpoint, err := c.connectionTarget()
	if err != nil {
		return reply{}, err
	}
	usePooler := c.queryBool("pooled")
	databaseName, roleName := c.requireQuery("database_name"), c.requireQuery("role_name")
	d, r := b.database(databaseName), b.role(roleName)
	switch {
	case d == nil:
		return reply{}, wire.NotFound("database not found")
	case r == nil:
		return reply{}, errNoRole(b, roleName)
	}
	host := endpoint.Host
	if usePooler {
		host = pooled(host)
	}
	if !c.project.StorePasswords {
		r = &role{Name: r.Name, NoLogin: true} // Neon has no password that it could tell.
	}
	return ok(map[string]string{"uri": e.connectionString(host, r, d, controlParameters)})
}

// connectionTarget finds the endpoint that is asked for: by default the
// read-write one of the branch, by default the default one.
func (c *call) connectionTarget() (*branch, *endpoint, error) {
	endpointID, branchID := c.queryMatching("endpoint_id", wire.IDPattern), c.queryMatching("branch_id", wire.IDPattern)
	if endpointID != "" {
		endpoint := c.project.Endpoints[endpointID]
		if endpoint == nil || branchID != "" && endpoint.BranchID != branchID {
			return nil, nil, wire.NotFound("endpoint not found")
		}
		return c.project.Branches[endpoint.BranchID], endpoint, nil
	}
	b := c.project.Branches[cmp.Or(branchID, c.project.DefaultBranchID)]
	if b == nil {
		return nil, nil, errNoBranch()
	}
	endpoint := c.project.readWriteEndpoint(b.ID)
	if endpoint == nil {
		return nil, nil, wire.NotFound("endpoint not found")
	}
	return b, endpoint, nil
}

// loopbackAddress is where all hosts of connection strings are, whatever the resolver says.
const loopbackAddress = "127.0.0.1"
