package emulator

import (
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// route is a call of the control API.
type route struct {
	pattern string
	needs   access
	handle  func(*Emulator, *call) (reply, error)
}

const (
	apiRoot     = "/api/v2"
	orgPath     = apiRoot + "/organizations/{org_id}"
	memberAt    = orgPath + "/members/{member_id}"
	projectPath = apiRoot + "/projects/{project_id}"
	branchPath  = projectPath + "/branches/{branch_id}"
	endpointAt  = projectPath + "/endpoints/{endpoint_id}"
	snapshotAt  = projectPath + "/snapshots/{snapshot_id}"
	authAt      = branchPath + "/auth"
	dataAPIAt   = branchPath + "/data-api/{database_name}"
	credentials = branchPath + "/credentials"
	tokenAt     = credentials + "/{token_id}"
	buckets     = branchPath + "/buckets"
	bucketAt    = buckets + "/{bucket_name}"
	functions   = branchPath + "/functions"
	functionAt  = functions + "/{slug}"
	triggers    = branchPath + "/triggers"
	triggerAt   = triggers + "/{trigger_id}"
	domainsAt   = branchPath + "/custom-domains"
	objectAt    = bucketAt + "/objects/{object_key}"

	vpcRegionAt   = orgPath + "/vpc/region/{region_id}"
	vpcEndpointAt = vpcRegionAt + "/vpc_endpoints/{vpc_endpoint_id}"
	spending      = "/billing/spending_limit"
)

var controlRoutes = []route{
	{"GET " + apiRoot + "/users/me", forUsers, (*Emulator).getUser},
	{"GET " + apiRoot + "/users/me/organizations", forEverybody, (*Emulator).listOrganizations},
	{"GET " + apiRoot + "/regions", forEverybody, (*Emulator).listRegions},
	{"GET " + apiRoot + "/api_keys", forUsers, (*Emulator).listKeys},
	{"POST " + apiRoot + "/api_keys", forUsers, (*Emulator).createKey},
	{"DELETE " + apiRoot + "/api_keys/{key_id}", forUsers, (*Emulator).revokeKey},

	{"GET " + orgPath, forOrgMembers, (*Emulator).getOrganization},
	{"GET " + orgPath + "/api_keys", forOrgMembers, (*Emulator).listOrgKeys},
	{orgKeyCreation, forOrgUsers, (*Emulator).createOrgKey},
	{"DELETE " + orgPath + "/api_keys/{key_id}", forOrgKeys, (*Emulator).revokeOrgKey},

	{"GET " + orgPath + "/members", forOrgMembers, (*Emulator).listMembers},
	{"GET " + memberAt, forOrgMembers, (*Emulator).getMember},
	{"PATCH " + memberAt, forOrgKeys, (*Emulator).updateMember},
	{"DELETE " + memberAt, forOrgUsers, (*Emulator).removeMember},
	{"GET " + orgPath + "/invitations", forOrgMembers, (*Emulator).listInvitations},
	{"POST " + orgPath + "/invitations", forOrgUsers, (*Emulator).invite},

	{"GET " + orgPath + "/vpc/vpc_endpoints", forOrgMembers, (*Emulator).listAllVPCEndpoints},
	{"GET " + vpcRegionAt + "/vpc_endpoints", forOrgMembers, (*Emulator).listVPCEndpoints},
	{"GET " + vpcEndpointAt, forOrgMembers, (*Emulator).getVPCEndpoint},
	{"POST " + vpcEndpointAt, forOrgMembers, (*Emulator).assignVPCEndpoint},
	{"DELETE " + vpcEndpointAt, forOrgMembers, (*Emulator).removeVPCEndpoint},
	{"GET " + orgPath + spending, forOrgMembers, (*Emulator).getSpendingLimit},
	{"PUT " + orgPath + spending, forOrgMembers, (*Emulator).setSpendingLimit},
	{"DELETE " + orgPath + spending, forOrgMembers, (*Emulator).removeSpendingLimit},

	{"POST " + apiRoot + "/organizations/{source_org_id}/projects/transfer", forProjects, (*Emulator).transferFromOrganization},
	{"POST " + apiRoot + "/users/me/projects/transfer", forUsers, (*Emulator).transferFromUser},

	{"GET " + apiRoot + "/consumption_history/v2/projects", forProjects, (*Emulator).projectConsumption},
	{"GET " + apiRoot + "/consumption_history/v2/branches", forProjects, (*Emulator).branchConsumption},

	{"GET " + apiRoot + "/projects", forProjects, (*Emulator).listProjects},
	{"GET " + apiRoot + "/projects/shared", forProjects, (*Emulator).listSharedProjects},
	{"POST " + apiRoot + "/projects", forProjects, (*Emulator).createProject},
	{"GET " + projectPath, forProject, (*Emulator).getProject},
	{"PATCH " + projectPath, forProject, (*Emulator).updateProject},
	{"DELETE " + projectPath, forProjectOwners, (*Emulator).deleteProject},
	{"POST " + projectPath + "/recover", forProjects, (*Emulator).recoverProject},
	{"GET " + projectPath + "/connection_uri", forProject, (*Emulator).connectionURI},
	{"GET " + projectPath + "/permissions", forProject, (*Emulator).listPermissions},
	{"POST " + projectPath + "/permissions", forProject, (*Emulator).grantPermission},
	{"DELETE " + projectPath + "/permissions/{permission_id}", forProject, (*Emulator).revokePermission},
	{"GET " + projectPath + "/members", forProject, (*Emulator).listProjectMembers},
	{"PUT " + projectPath + "/members/{member_id}/role", forProject, (*Emulator).setProjectRole},
	{"DELETE " + projectPath + "/members/{member_id}/role", forProject, (*Emulator).removeProjectRole},
	{"GET " + projectPath + "/jwks", forProject, (*Emulator).listJWKS},
	{"POST " + projectPath + "/jwks", forProject, (*Emulator).addJWKS},
	{"DELETE " + projectPath + "/jwks/{jwks_id}", forProject, (*Emulator).deleteJWKS},
	{"GET " + projectPath + "/available_preload_libraries", forProject, (*Emulator).listPreloadLibraries},
	{"GET " + projectPath + "/advisors", forProject, (*Emulator).listAdvisorIssues},
	{"GET " + projectPath + "/vpc_endpoints", forProject, (*Emulator).listRestrictions},
	{"POST " + projectPath + "/vpc_endpoints/{vpc_endpoint_id}", forProject, (*Emulator).restrictToVPCEndpoint},
	{"DELETE " + projectPath + "/vpc_endpoints/{vpc_endpoint_id}", forProject, (*Emulator).liftRestriction},
	{"GET " + projectPath + "/operations", forProject, (*Emulator).listOperations},
	{"GET " + projectPath + "/operations/{operation_id}", forProject, (*Emulator).getOperation},

	{"GET " + projectPath + "/branches", forProject, (*Emulator).listBranches},
	{"POST " + projectPath + "/branches", forProject, (*Emulator).createBranch},
	{"GET " + projectPath + "/branches/count", forProject, (*Emulator).countBranches},
	{"GET " + branchPath, forProject, (*Emulator).getBranch},
	{"PATCH " + branchPath, forProject, (*Emulator).updateBranch},
	{"DELETE " + branchPath, forProject, (*Emulator).deleteBranch},
	{"POST " + branchPath + "/set_as_default", forProject, (*Emulator).setDefaultBranch},
	{"POST " + branchPath + "/restore", forProject, (*Emulator).restoreBranch},
	{"GET " + branchPath + "/endpoints", forProject, (*Emulator).listBranchEndpoints},

	{"POST " + projectPath + "/branch_anonymized", forProject, (*Emulator).createAnonymizedBranch},
	{"GET " + branchPath + "/masking_rules", forProject, (*Emulator).getMaskingRules},
	{"PATCH " + branchPath + "/masking_rules", forProject, (*Emulator).setMaskingRules},
	{"GET " + branchPath + "/anonymized_status", forProject, (*Emulator).getAnonymization},
	{"POST " + branchPath + "/anonymize", forProject, (*Emulator).anonymize},

	{"GET " + branchPath + "/schema", forProject, (*Emulator).getSchema},
	{"GET " + branchPath + "/compare_schema", forProject, (*Emulator).compareSchema},

	{"POST " + branchPath + "/snapshot", forProject, (*Emulator).createSnapshot},
	{"GET " + projectPath + "/snapshots", forProject, (*Emulator).listSnapshots},
	{"PATCH " + snapshotAt, forProject, (*Emulator).updateSnapshot},
	{"DELETE " + snapshotAt, forProject, (*Emulator).deleteSnapshot},
	{"POST " + snapshotAt + "/restore", forProject, (*Emulator).restoreSnapshot},
	{"POST " + branchPath + "/finalize_restore", forProject, (*Emulator).finalizeRestore},
	{"GET " + branchPath + "/backup_schedule", forProject, (*Emulator).getSchedule},
	{"PUT " + branchPath + "/backup_schedule", forProject, (*Emulator).setSchedule},

	{"GET " + projectPath + "/endpoints", forProject, (*Emulator).listEndpoints},
	{"POST " + projectPath + "/endpoints", forProject, (*Emulator).createEndpoint},
	{"GET " + endpointAt, forProject, (*Emulator).getEndpoint},
	{"PATCH " + endpointAt, forProject, (*Emulator).updateEndpoint},
	{"DELETE " + endpointAt, forProject, (*Emulator).deleteEndpoint},
	{"POST " + endpointAt + "/start", forProject, (*Emulator).startEndpoint},
	{"POST " + endpointAt + "/suspend", forProject, (*Emulator).suspendEndpoint},
	{"POST " + endpointAt + "/restart", forProject, (*Emulator).restartEndpoint},

	{"GET " + branchPath + "/roles", forProject, (*Emulator).listRoles},
	{"POST " + branchPath + "/roles", forProject, (*Emulator).createRole},
	{"GET " + branchPath + "/roles/{role_name}", forProject, (*Emulator).getRole},
	{"DELETE " + branchPath + "/roles/{role_name}", forProject, (*Emulator).deleteRole},
	{"GET " + branchPath + "/roles/{role_name}/reveal_password", forProject, (*Emulator).revealPassword},
	{"POST " + branchPath + "/roles/{role_name}/reset_password", forProject, (*Emulator).resetPassword},
	{"GET " + branchPath + "/databases", forProject, (*Emulator).listDatabases},
	{"POST " + branchPath + "/databases", forProject, (*Emulator).createDatabase},
	{"GET " + branchPath + "/databases/{database_name}", forProject, (*Emulator).getDatabase},
	{"PATCH " + branchPath + "/databases/{database_name}", forProject, (*Emulator).updateDatabase},
	{"DELETE " + branchPath + "/databases/{database_name}", forProject, (*Emulator).deleteDatabase},

	{"GET " + dataAPIAt, forProject, (*Emulator).getDataAPI},
	{"POST " + dataAPIAt, forProject, (*Emulator).createDataAPI},
	{"PATCH " + dataAPIAt, forProject, (*Emulator).updateDataAPI},
	{"DELETE " + dataAPIAt, forProject, (*Emulator).deleteDataAPI},

	{"GET " + authAt, forProject, (*Emulator).getAuth},
	{"POST " + authAt, forProject, (*Emulator).enableAuth},
	{"DELETE " + authAt, forProject, (*Emulator).disableAuth},
	{"PATCH " + authAt + "/config", forProject, (*Emulator).setAuthName},
	{"GET " + authAt + "/allow_localhost", forProject, (*Emulator).getLocalhost},
	{"PATCH " + authAt + "/allow_localhost", forProject, (*Emulator).setLocalhost},
	{"GET " + authAt + "/email_and_password", forProject, (*Emulator).getEmailAndPassword},
	{"PATCH " + authAt + "/email_and_password", forProject, (*Emulator).setEmailAndPassword},
	{"GET " + authAt + "/email_provider", forProject, (*Emulator).getEmailProvider},
	{"PATCH " + authAt + "/email_provider", forProject, (*Emulator).setEmailProvider},
	{"POST " + authAt + "/email_provider/test", forProject, (*Emulator).testEmailProvider},
	{"POST " + authAt + "/send_test_email", forProject, (*Emulator).sendTestEmail},
	{"GET " + authAt + "/plugins", forProject, (*Emulator).getPlugins},
	{"PATCH " + authAt + "/plugins/magic-link", forProject, (*Emulator).setMagicLink},
	{"PATCH " + authAt + "/plugins/organization", forProject, (*Emulator).setAuthOrganization},
	{"GET " + authAt + "/plugins/phone-number", forProject, (*Emulator).getPhoneNumber},
	{"PATCH " + authAt + "/plugins/phone-number", forProject, (*Emulator).setPhoneNumber},
	{"GET " + authAt + "/webhooks", forProject, (*Emulator).getWebhooks},
	{"PUT " + authAt + "/webhooks", forProject, (*Emulator).setWebhooks},
	{"GET " + authAt + "/oauth_providers", forProject, (*Emulator).listOAuthProviders},
	{"POST " + authAt + "/oauth_providers", forProject, (*Emulator).addOAuthProvider},
	{"PATCH " + authAt + "/oauth_providers/{oauth_provider_id}", forProject, (*Emulator).updateOAuthProvider},
	{"DELETE " + authAt + "/oauth_providers/{oauth_provider_id}", forProject, (*Emulator).deleteOAuthProvider},
	{"GET " + authAt + "/domains", forProject, (*Emulator).listDomains},
	{"POST " + authAt + "/domains", forProject, (*Emulator).addDomain},
	{"DELETE " + authAt + "/domains", forProject, (*Emulator).deleteDomains},
	{"POST " + authAt + "/users", forProject, (*Emulator).addAuthUser},
	{"DELETE " + authAt + "/users/{auth_user_id}", forProject, (*Emulator).deleteAuthUser},
	{"PUT " + authAt + "/users/{auth_user_id}/role", forProject, (*Emulator).setAuthUserRoles},

	{"GET " + credentials, forProject, (*Emulator).listCredentials},
	{"POST " + credentials, forProject, (*Emulator).createCredential},
	{"DELETE " + tokenAt, forProject, (*Emulator).revokeCredential},
	{"POST " + tokenAt + "/reveal", forProject, (*Emulator).revealCredential},
	{"POST " + tokenAt + "/rotate", forProject, (*Emulator).rotateCredential},

	{"GET " + branchPath + "/storage", forProject, (*Emulator).getStorage},
	{"GET " + branchPath + "/ai_gateway", forProject, (*Emulator).getAIGateway},
	{"GET " + buckets, forProject, (*Emulator).listBuckets},
	{"POST " + buckets, forProject, (*Emulator).createBucket},
	{"DELETE " + bucketAt, forProject, (*Emulator).deleteBucket},
	{"GET " + bucketAt + "/objects", forProject, (*Emulator).listObjects},
	{"DELETE " + bucketAt + "/objects-by-prefix", forProject, (*Emulator).deleteObjects},
	{"DELETE " + objectAt, forProject, (*Emulator).deleteObject},
	{"GET " + objectAt + "/download", forProject, (*Emulator).getObject},
	{"POST " + objectAt + "/presign", forProject, (*Emulator).presign},

	{"GET " + functions, forProject, (*Emulator).listFunctions},
	{"GET " + functionAt, forProject, (*Emulator).getFunction},
	{"PATCH " + functionAt, forProject, (*Emulator).updateFunction},
	{"DELETE " + functionAt, forProject, (*Emulator).deleteFunction},
	{"POST " + functionAt + deployments, forProject, (*Emulator).deployFunction},
	{"GET " + triggers, forProject, (*Emulator).listTriggers},
	{"POST " + triggers, forProject, (*Emulator).createTrigger},
	{"GET " + triggerAt, forProject, (*Emulator).getTrigger},
	{"PATCH " + triggerAt, forProject, (*Emulator).updateTrigger},
	{"DELETE " + triggerAt, forProject, (*Emulator).deleteTrigger},
	{"GET " + domainsAt, forProject, (*Emulator).listCustomDomains},
	{"POST " + domainsAt, forProject, (*Emulator).registerDomain},
	{"DELETE " + domainsAt + "/{domain}", forProject, (*Emulator).deleteDomain},
}

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
	e.addClaimPage()
	e.addStorage()
	e.addPage()
	e.addControlPath()
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
	return r.handle(e, c)
}
