package emulator

import (
	"net/http"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// controlRoute is a route of the control path, by which tests, benchmarks and people control
// the emulator. It isn't part of either API.
type controlRoute struct {
	pattern string
	// does is the sentence that the index and the reference have.
	does string
	// body is of the type that the route reads, nil for none. Fields with a `says` tag are shown.
	body any
	// example is a body that works. PROJECT_ID, BRANCH_ID, PARENT_ID and ORG_ID stand for ids.
	example string
	handle  func(*Emulator, *call) (reply, error)
}

var controlPath = []controlRoute{
	shows("GET /_emulator/objects", "Lists everything that exists: projects, branches, endpoints, roles, databases, keys "+
		"and more, without secrets but the values of functions' variables.", (*Emulator).showObjects),
	shows("GET /_emulator/environment", "Returns the shell commands that point programs at the first project, with its "+
		"API key.", (*Emulator).showEnvironment),
	shows("GET /_emulator/ca.pem", "Returns the certificate by which clients can verify those of the databases' hosts; "+
		"404 where none are served.", (*Emulator).showAuthority),
	shows("GET /_emulator/connections/{endpoint_id}/{role_name}/{database_name}",
		"Returns a connection string and a psql command, both with the password.", (*Emulator).showConnection),
	told("POST /_emulator/clock", "Moves the world's clock ahead: branches expire, operations end, old ones are "+
		"forgotten.", `{"advance": "73h"}`, (*Emulator).moveClock),
	shows("GET /_emulator/requests", "Counts the requests to both APIs, by route and by status. Where a fault loses the "+
		"answer, the status is lost.", answers(func(e *Emulator, _ *call) control.Requests { return e.requests })),
	shows("DELETE /_emulator/requests", "Resets these counts to zero.", (*Emulator).forgetRequests),

	shows("GET /_emulator/faults", "Lists the faults, each with the number of requests that it has hit.",
		tells("faults", func(e *Emulator, _ *call) []control.Fault { return e.faults.List() })),
	told("POST /_emulator/faults", "Adds a fault, which makes requests fail. At most one fault hits a request; a slow "+
		"one can delay it as well.",
		`{"route": "POST /api/v2/projects/{project_id}/branches", "kind": "status", "status": 503, "count": 3}`,
		(*Emulator).addFault),
	shows("DELETE /_emulator/faults", "Removes all faults.", (*Emulator).forgetFaults),
	shows("DELETE /_emulator/faults/{fault_id}", "Removes one fault.", (*Emulator).forgetFault),
	shows("GET /_emulator/readings", "Lists the readings: what Neon may do in more than one way, with the alternatives "+
		"and the one that is played.", (*Emulator).showReadings),
	told("POST /_emulator/readings", "Changes which alternatives are played, from the next request on.",
		`{"readings": {"branch-origin": "asked"}}`, (*Emulator).setReadings),
	told("POST /_emulator/operations", "Decides how the next operations of an action end.",
		`{"action": "start_compute", "status": "failed", "error": "no capacity"}`, (*Emulator).setEnding),
	told("POST /_emulator/operations/bulk", "Adds finished operations to the history of a project.",
		`{"project_id": "PROJECT_ID", "count": 1500}`, (*Emulator).addHistory),
	told("POST /_emulator/locks", "Starts maintenance on a project, or on a branch of it alone. Until it ends, other "+
		"work there is refused with 423.", `{"project_id": "PROJECT_ID", "duration": "2s"}`, (*Emulator).addLock),

	told("POST /_emulator/organizations", "Creates an organization with an administrator, and returns an API key of "+
		"theirs.", `{"name": "Other", "plan": "free"}`, (*Emulator).createOrganization),
	told("POST /_emulator/members", "Adds a user to an organization, and returns an API key of theirs.",
		`{"email": "max@example.com", "role": "viewer"}`, (*Emulator).createMember),
	shows("DELETE /_emulator/invitations", "Removes all invitations, as if they had been accepted or had expired.",
		(*Emulator).forgetInvitations),
	told("POST /_emulator/projects", "Creates projects with any number of branches and endpoints. All of them are ready "+
		"at once.", `{"name": "large", "branches": 500, "endpoints_per_branch": 1}`, (*Emulator).addSizedProjects),
	told("POST /_emulator/projects_unavailable", "Leaves these projects out of lists, which then name them as "+
		"unavailable. The next call replaces them; an empty list ends it.", `{"ids": ["PROJECT_ID"]}`,
		(*Emulator).setUnavailable),
	told("POST /_emulator/integrations", "Connects a project with an integration, which prevents its transfer to another "+
		"organization, or disconnects it.", `{"project_id": "PROJECT_ID", "integration": "github"}`,
		(*Emulator).setIntegration),
	told("POST /_emulator/parents", "Moves a branch to another parent, as Neon does when the parent is restored.",
		`{"branch_id": "BRANCH_ID", "parent_id": "PARENT_ID"}`, (*Emulator).setParent),
	told("POST /_emulator/claimable_databases/{id}/claim", "Claims a claimable database, as the button on its claim page "+
		"does. The body is optional.", `{"status": "CLAIMED"}`, (*Emulator).claimDirectly),
}

// shows is a route without a body.
func shows(pattern, does string, handle handler) controlRoute {
	return controlRoute{pattern, does, nil, "", handle}
}

// told is a route whose handler is told something by a body.
func told[B any](
	pattern, does, example string, handle func(*Emulator, *call, B) (reply, error),
) controlRoute {
	return controlRoute{pattern, does, *new(B), example, func(e *Emulator, c *call) (reply, error) {
		text, body := c.body, *new(B)
		if len(text) == 0 {
			text = []byte("{}")
		}
		if err := wire.DecodeStrictly(text, &body); err != nil {
			return reply{}, err
		}
		return handle(e, c, body)
	}}
}

// addControlPath serves the control path. It takes no key, and is for this machine alone.
func (e *Emulator) addControlPath() {
	for _, route := range controlPath {
		e.mux.HandleFunc(route.pattern, e.controlled(route.handle))
	}
	e.mux.HandleFunc("GET /_emulator", e.controlled((*Emulator).showIndex))
	e.mux.HandleFunc("/_emulator/", e.controlled(func(_ *Emulator, c *call) (reply, error) {
		return reply{}, wire.NotFound("the control path has no route %s %s; GET /_emulator lists those that it has", c.Method,
			c.URL.Path)
	}))
}

// controlled wraps a handler of the control path.
func (e *Emulator) controlled(handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := e.checkPeer(r)
		var body []byte
		if err == nil {
			body, err = e.readBody(w, r, "")
		}
		if err != nil {
			control.SendError(w, err)
			return
		}
		encodeError := func(err error) []byte { return wire.Encode(map[string]string{"message": err.Error()}) }
		e.lateFor("")
		status, answer := e.run(r, body, withHeaders(w, handle), encodeError)
		control.Hide(w)
		wire.Send(w, status, answer)
	}
}

// showIndex lists what the control path serves, with examples that name what the world
// began with.
func (e *Emulator) showIndex(c *call) (reply, error) {
	first := e.world.First
	ids := strings.NewReplacer("PROJECT_ID", first.ProjectID, "BRANCH_ID", first.BranchID, "ORG_ID", first.OrgID,
		"{endpoint_id}", first.EndpointID, "{role_name}", first.RoleName, "{database_name}", first.DatabaseName)
	return ok(map[string]any{"routes": index("http://"+c.Host, ids), "fault_kinds": control.FaultEffects()})
}

// index describes the control path, with examples for a base URL.
func index(base string, ids *strings.Replacer) []control.Entry {
	return viewsOf(controlPath, func(route controlRoute) control.Entry {
		return control.Describe(route.pattern, route.does, route.body, route.example, base, ids)
	})
}

func (e *Emulator) forgetRequests(*call) (reply, error) {
	e.requests = control.NewRequests()
	return alreadyGone()
}

type clockMove struct {
	Advance string `json:"advance" fits:"required,duration" says:"how far, a duration such as 90m or 73h"`
}

// furthestAhead is how far the world's clock can get: a hundred years.
const furthestAhead = 100 * 365 * 24 * time.Hour

func (e *Emulator) moveClock(_ *call, body clockMove) (reply, error) {
	by, _ := time.ParseDuration(body.Advance) // It was checked.
	if by > furthestAhead-e.world.Advanced {
		return reply{}, wire.BadRequest("advance is %q; the clock can be at most %s ahead, and is %s", body.Advance,
			furthestAhead, e.world.Advanced)
	}
	e.advance(by)
	e.expire(e.now())
	for _, p := range e.world.Projects {
		p.forgetOld(e.now())
	}
	return ok(map[string]string{"now": e.now().Format(time.RFC3339Nano)})
}
