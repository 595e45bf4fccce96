package emulator

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// route is a call of the control API.
type route struct {
	pattern string
	needs   access
	handle  func(*Emulator, *call) (reply, error)
}

const (
	apiRoot = "/api/v2"
	// anonymousRoot is where Claimable Neon is.
	anonymousRoot = "/v1"
	orgPath       = apiRoot + "/organizations/{org_id}"
	projectPath   = apiRoot + "/projects/{project_id}"
	branchPath    = projectPath + "/branches/{branch_id}"
)

// controlRoutes are those of all nouns: each has its own above its handlers.
var controlRoutes = slices.Concat(
	organizationRoutes, regionRoutes, keyRoutes, memberRoutes, invitationRoutes, vpcEndpointRoutes,
	spendingRoutes, projectRoutes, consumptionRoutes, connectionRoutes, permissionRoutes, projectMemberRoutes,
	jwksRoutes, libraryRoutes, advisorRoutes, operationRoutes, branchRoutes, endpointRoutes, anonymizedRoutes,
	snapshotRoutes, scheduleRoutes, roleRoutes, databaseRoutes, dataAPIRoutes, authRoutes, credentialRoutes,
	bucketRoutes, functionRoutes, triggerRoutes,
)

// addRoutes makes the emulator serve all that it serves.
func (e *Emulator) addRoutes() {
	for _, r := range controlRoutes {
		e.mux.HandleFunc(r.pattern, func(w http.ResponseWriter, request *http.Request) {
			e.serve(w, request, controlAPI, r.pattern, func(c *call) (reply, error) { return e.handle(c, r) })
		})
	}
	e.mux.HandleFunc(apiRoot+"/", func(w http.ResponseWriter, request *http.Request) {
		e.serve(w, request, controlAPI, apiRoot+"/", func(*call) (reply, error) {
			return reply{}, wire.NotFound("this route does not exist")
		})
	})
	for pattern, handle := range claimableRoutes {
		e.mux.HandleFunc(pattern, func(w http.ResponseWriter, request *http.Request) {
			e.serve(w, request, claimableAPI, pattern, func(c *call) (reply, error) { return handle(e, c) })
		})
	}
	for pattern, handle := range anonymousRoutes {
		e.mux.HandleFunc(pattern, func(w http.ResponseWriter, request *http.Request) {
			e.serve(w, request, anonymousAPI, pattern, func(c *call) (reply, error) { return handle(e, c) })
		})
	}
	e.addPassedRoutes()
	e.addClaimPage()
	e.addStorage()
	e.addPage()
	e.addControlPath()
}

// addPassedRoutes serves the calls of the control API that Claimable Neon passes on.
func (e *Emulator) addPassedRoutes() {
	for _, r := range controlRoutes {
		how, isPassed := passedRoutes[r.pattern]
		if !isPassed {
			continue
		}
		pattern := strings.Replace(r.pattern, apiRoot, anonymousRoot, 1)
		e.mux.HandleFunc(pattern, func(w http.ResponseWriter, request *http.Request) {
			e.serve(w, request, anonymousAPI, pattern, func(c *call) (reply, error) { return e.passOn(c, r, how) })
		})
	}
	e.mux.HandleFunc(anonymousRoot+"/", func(w http.ResponseWriter, request *http.Request) {
		e.serve(w, request, anonymousAPI, anonymousRoot+"/", func(*call) (reply, error) {
			if strings.HasPrefix(request.URL.Path, anonymousRoot+"/projects/") {
				return reply{}, refuseAs(codeRouteNotAllowed, "This Neon Management API operation is not available before claim.")
			}
			return reply{}, refuseAs(codeNotFound, "No route exists at this path.")
		})
	})
}

// handle answers a call of the control API once it is known who calls.
func (e *Emulator) handle(c *call, r route) (reply, error) {
	if err := e.authenticate(c); err != nil {
		return reply{}, err
	}
	for _, name := range []string{"org_id", "source_org_id", "project_id", "branch_id", "endpoint_id", "snapshot_id"} {
		if id := c.PathValue(name); id != "" && !wire.IDPattern.MatchString(id) {
			return reply{}, badPath(name, "must match "+wire.IDPattern.String())
		}
	}
	if err := e.authorize(c, r.needs); err != nil {
		return reply{}, err
	}
	if c.PathValue("branch_id") != "" {
		// What answers for the branch itself says what that comes to without it.
		if c.findBranch(); c.branch == nil && !strings.HasSuffix(r.pattern, branchPath) {
			return reply{}, errNoBranch()
		}
	}
	return r.handle(e, c)
}

// faultRoutes are those of all APIs and of the object storage.
func faultRoutes() []string {
	var patterns []string
	for _, r := range controlRoutes {
		patterns = append(patterns, r.pattern)
	}
	patterns = append(patterns, slices.Sorted(maps.Keys(claimableRoutes))...)
	patterns = append(patterns, slices.Sorted(maps.Keys(anonymousRoutes))...)
	return append(patterns, uploadRoute, downloadRoute)
}
