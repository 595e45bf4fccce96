package emulator

import (
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// route is a call of the control API.
type route struct {
	pattern string
	needs   access
	handle  handler
}

const apiRoot = "/api/v2"

// access says which keys a route is for.
type access int

const (
	// anonymousRoot is where Claimable Neon is.
	anonymousRoot = "/v1"
	orgPath       = apiRoot + "/organizations/{org_id}"
	projectPath   = apiRoot + "/projects/{project_id}"
	branchPath    = projectPath + "/branches/{branch_id}"
)

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

const endpointPath = projectPath + "/endpoints/{endpoint_id}"

const snapshotPath = projectPath + "/snapshots/{snapshot_id}"

// uploadRoute is where an object is sent to.
const uploadRoute = "PUT " + presignedAt

const presignedAt = "/_storage/{project_id}/{branch_id}/{bucket_name}/{object_key}"

// handler answers a call.
type handler = func(*Emulator, *call) (reply, error)

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
	// refusal is the body of an error.
	refusal func(failure *wire.Error, requestID string) any
}
