package emulator

import (
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// route is a call of the control API: who may call it, and what happens then. A handler that is given a body, or
// what the path names, is made one by withBody, about and the others below, so that the table of a noun's routes says
// what each call needs.
type route struct {
	pattern string
	needs   access
	handle  handler
}

const (
	apiRoot = "/api/v2"
	// anonymousRoot is where Claimable Neon is.
	anonymousRoot = "/v1"
	orgPath       = apiRoot + "/organizations/{org_id}"
	projectPath   = apiRoot + "/projects/{project_id}"
	branchPath    = projectPath + "/branches/{branch_id}"
	endpointPath  = projectPath + "/endpoints/{endpoint_id}"
	snapshotPath  = projectPath + "/snapshots/{snapshot_id}"

	// presignedAt is where the emulator serves the addresses that it signs: an object is sent there, or fetched.
	presignedAt   = "/_storage/{project_id}/{branch_id}/{bucket_name}/{object_key}"
	uploadRoute   = "PUT " + presignedAt
	downloadRoute = "GET " + presignedAt
)

// access says which keys a route is for.
type access int

const (
	// forUsers is for personal keys alone.
	forUsers access = iota
	// forOrgMembers is for what belongs to the organization in the path.
	forOrgMembers
	// forOrgUsers is the same for personal keys alone.
	forOrgUsers
	// forOrgKeys is the same for those and the organization's own keys, if these may at all.
	forOrgKeys
	// forEverybody is for all keys.
	forEverybody
	// forProjects is for all keys that see more than one project.
	forProjects
	// forProject is for all keys that see the project in the path.
	forProject
	// forProjectOwners is the same without keys for that project alone, and without users
	// that the project is shared with.
	forProjectOwners
)

// handler answers a call.
type handler = func(*Emulator, *call) (reply, error)

// checked is a handler of calls that none of these checks refuses.
func checked(handle handler, checks ...func(*Emulator, *call) error) handler {
	return func(e *Emulator, c *call) (reply, error) {
		for _, check := range checks {
			if err := check(e, c); err != nil {
				return reply{}, err
			}
		}
		return handle(e, c)
	}
}

// about is a handler of calls about what is found by their path.
func about[T any](find func(*Emulator, *call) (T, error), handle func(*Emulator, *call, T) (reply, error)) handler {
	return func(e *Emulator, c *call) (reply, error) {
		found, err := find(e, c)
		if err != nil {
			return reply{}, err
		}
		return handle(e, c, found)
	}
}

// unlessGone is the same of deletions, which succeed where there is nothing.
func unlessGone[T any](
	find func(*Emulator, *call) (*T, error), handle func(*Emulator, *call, *T) (reply, error),
) handler {
	return func(e *Emulator, c *call) (reply, error) {
		if found, err := find(e, c); err == nil {
			return handle(e, c, found)
		}
		return alreadyGone()
	}
}

// answers is a handler of reads that answer with a value as it is.
func answers[V any](value func(*Emulator, *call) V) handler {
	return func(e *Emulator, c *call) (reply, error) { return ok(value(e, c)) }
}

// tells is a handler of reads that answer with one field.
func tells[V any](field string, value func(*Emulator, *call) V) handler {
	return answers(func(e *Emulator, c *call) object { return object{field: value(e, c)} })
}

// tellsOf is the same about what is found by their path.
func tellsOf[T, V any](
	find func(*Emulator, *call) (T, error), field string, value func(*Emulator, *call, T) V,
) handler {
	return about(find, func(e *Emulator, c *call, of T) (reply, error) { return ok(object{field: value(e, c, of)}) })
}

// withBody is a handler of calls with a body, in which more fields may be required than its type says.
func withBody[B any](handle func(*Emulator, *call, B) (reply, error), required ...string) handler {
	return func(e *Emulator, c *call) (reply, error) {
		var body B
		if err := c.decode(&body, required...); err != nil {
			return reply{}, err
		}
		return handle(e, c, body)
	}
}

// bodyOptional has a handler take a call without a body for one whose body says nothing.
func bodyOptional(handle handler) handler {
	return func(e *Emulator, c *call) (reply, error) {
		c.isBodyOptional = true
		return handle(e, c)
	}
}

// aboutWithBody is a handler of calls with a body about what is found by their path first.
func aboutWithBody[T, B any](
	find func(*Emulator, *call) (T, error), handle func(*Emulator, *call, T, B) (reply, error),
) handler {
	return about(find, func(e *Emulator, c *call, found T) (reply, error) {
		return withBody(func(e *Emulator, c *call, body B) (reply, error) { return handle(e, c, found, body) })(e, c)
	})
}

const (
	// largestBody is more than any request of either API needs.
	largestBody = 1 << 20
	// usualBodyPatience is how long a body may take to arrive.
	usualBodyPatience = 30 * time.Second
	// deployments ends the route of what may be larger.
	deployments       = "/deployments"
	largestDeployment = 32 << 20
)

// api is one of the two APIs, in what they differ.
type api struct {
	// limited says whether the rate limits count.
	limited bool
	// challenges says whether who is refused for its token is told where to get one (RFC 9728).
	challenges bool
	// refusal is the body of an error.
	refusal func(failure *wire.Error, requestID string) any
}
