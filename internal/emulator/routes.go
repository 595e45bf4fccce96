package emulator

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// controlRoutes are those of all nouns: each has its own above its handlers.
var controlRoutes = slices.Concat(
	organizationRoutes, regionRoutes, keyRoutes, memberRoutes, invitationRoutes, vpcEndpointRoutes,
	spendingRoutes, projectRoutes, recoveryRoutes, transferRoutes, transferRequestRoutes, projectCreateRoutes,
	projectListRoutes, consumptionRoutes, connectionRoutes, permissionRoutes, projectMemberRoutes,
	jwksRoutes, libraryRoutes, advisorRoutes, operationRoutes, branchRoutes, branchSchemaRoutes, branchRestoreRoutes,
	branchCreateRoutes, endpointRoutes, anonymizedRoutes,
	snapshotRoutes, snapshotRestoreRoutes, scheduleRoutes, roleRoutes, databaseRoutes, dataAPIRoutes, authRoutes,
	authSettingRoutes, authPeopleRoutes, credentialRoutes,
	bucketRoutes, objectRoutes, functionRoutes, triggerRoutes,
)

// shownKinds are those of all nouns, in the order of the page: each stands below its noun's handlers.
var shownKinds = []shown{
	shownProjects, shownBranches, shownEndpoints, shownDatabases, shownPermissions, shownTransferRequests, shownJWKS,
	shownVPCEndpoints, shownVPCRestrictions, shownSpending,
	shownMembers, shownProjectRoles, shownInvitations, shownKeys, shownClaimables,
	shownRoles, shownMasking, shownAuth, shownOAuth, shownTrusted, shownDataAPIs, shownBuckets, shownBucketObjects,
	shownFunctions, shownTriggers,
	shownDomains, shownCredentials, shownSnapshots, shownSchedules,
}

// addRoutes makes the emulator serve all that it serves.
func (e *Emulator) addRoutes() {
	for _, r := range controlRoutes {
		e.addRoute(controlAPI, r.pattern, asked(r))
		if how, isPassed := passedRoutes[r.pattern]; isPassed {
			passOn := func(e *Emulator, c *call) (reply, error) { return e.passOn(c, r, how) }
			e.addRoute(anonymousAPI, strings.Replace(r.pattern, apiRoot, anonymousRoot, 1), passOn)
		}
	}
	e.addRoute(controlAPI, apiRoot+"/", func(*Emulator, *call) (reply, error) {
		return reply{}, wire.NotFound("this route does not exist")
	})
	for pattern, handle := range claimableRoutes {
		e.addRoute(claimableAPI, pattern, handle)
	}
	for pattern, handle := range anonymousRoutes {
		e.addRoute(anonymousAPI, pattern, handle)
	}
	e.addRoute(anonymousAPI, anonymousRoot+"/", refusePassing)
	e.addRoute(storageAPI, uploadRoute, checked(about((*Emulator).bucket, (*Emulator).upload), (*Emulator).checkSigned))
	e.addRoute(storageAPI, downloadRoute, checked(about((*Emulator).bucketObject, (*Emulator).getObject),
		(*Emulator).checkSigned))
	e.addClaimPage()
	e.addTransferPage()
	e.addPage()
	e.addControlPath()
}

func (e *Emulator) addRoute(of api, pattern string, handle handler) {
	e.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { e.serve(w, r, of, pattern, handle) })
}

// refusePassing answers what Claimable Neon neither has nor passes on.
func refusePassing(_ *Emulator, c *call) (reply, error) {
	if strings.HasPrefix(c.URL.Path, anonymousRoot+"/projects/") {
		return reply{}, refuseAs(codeRouteNotAllowed, "This Neon Management API operation is not available before claim.")
	}
	return reply{}, refuseAs(codeNotFound, "No route exists at this path.")
}

// asked is the handler of a call of the control API.
func asked(r route) handler {
	return func(e *Emulator, c *call) (reply, error) { return e.handle(c, r) }
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
		if err := e.findBranch(c); err != nil && !strings.HasSuffix(r.pattern, branchPath) {
			return reply{}, err
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
