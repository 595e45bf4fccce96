package questions

import (
	"net/http"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

var keyQuestions = []Question{
	{
		Doubt: doubts.KeyNames, Asks: "three keys of the organization: without a name, and two of the same",
		Decided: "200, 200, 200", NoProject: true,
		ask: func(a *asker) string {
			named := func(name string) request {
				return request{http.MethodPost, "/organizations/{o}/api_keys", object{"key_name": name}}
			}
			return a.statuses(named(""), named(NamePrefix+"twice"), named(NamePrefix+"twice"))
		},
	},
}

// caller is the member whose key is used.
func (a *asker) caller() reply {
	id := a.get("/users/me").text("id")
	return a.get("/projects/{p}/members").find("project_members", "user_id", id)
}

var memberQuestions = []Question{
	{
		Doubt: doubts.MemberPages, Asks: "lists of members with the limits 500 and 501: the organization's, a project's",
		Decided: "200, 400, 200, 400",
		ask: func(a *asker) string {
			return a.statuses(request{method: http.MethodGet, path: "/organizations/{o}/members?limit=500"},
				request{method: http.MethodGet, path: "/organizations/{o}/members?limit=501"},
				request{method: http.MethodGet, path: "/projects/{p}/members?limit=500"},
				request{method: http.MethodGet, path: "/projects/{p}/members?limit=501"})
		},
	},
	{
		Doubt: doubts.ProjectRoleOfAdmin, Asks: "PUT of the role viewer in a project for an administrator of the " +
			"organization", Decided: "422",
		ask: func(a *asker) string {
			caller := a.caller()
			if role := caller.text("org_role"); role != "admin" {
				giveUp("the key's owner is %s in the organization", role)
			}
			return a.status(http.MethodPut, "/projects/{p}/members/"+caller.text("member_id")+"/role?confirm_self_demotion=true",
				object{"role": "viewer"})
		},
	},
	{
		Doubt: doubts.RotationHints, Asks: "both hints in the answers to giving a role in a project, and to taking it",
		Decided: "false false, true true",
		ask: func(a *asker) string {
			path := "/projects/{p}/members/" + a.caller().text("member_id") + "/role"
			hints := func(r reply) string {
				return r.text("credential_rotation_recommended") + " " + r.text("org_api_key_rotation_recommended")
			}
			given := a.must(http.MethodPut, path, object{"role": "admin"})
			return hints(given) + ", " + hints(a.must(http.MethodDelete, path+"?confirm_self_lockout=true", nil))
		},
	},
}

const noVPCEndpoint = "vpce-00000000000000000"

func vpcRegion(region string) string {
	return "/organizations/{o}/vpc/region/" + region + "/vpc_endpoints/" + noVPCEndpoint
}

func label() object { return object{"label": "ask"} }

var networkQuestions = []Question{
	{
		Doubt: doubts.VPCRegions, Asks: "assigning a VPC endpoint in azure-eastus2, and in aws-nowhere-1",
		Decided: "400, 400", NoProject: true,
		ask: func(a *asker) string {
			return a.statuses(request{http.MethodPost, vpcRegion("azure-eastus2"), label()},
				request{http.MethodPost, vpcRegion("aws-nowhere-1"), label()})
		},
	},
	{
		Doubt: doubts.VPCPlans, Asks: "assigning a VPC endpoint on Free or Launch", Decided: "403",
		Plans: []string{free, launch}, NoProject: true,
		ask: func(a *asker) string { return a.status(http.MethodPost, vpcRegion("aws-us-east-2"), label()) },
	},
	{
		Doubt: doubts.VPCRestrictionRefused, Asks: "restricting a project to a VPC endpoint that isn't assigned",
		Decided: "422", Plans: onScale,
		ask: func(a *asker) string {
			return a.status(http.MethodPost, "/projects/{p}/vpc_endpoints/"+noVPCEndpoint, label())
		},
	},
	{
		Doubt: doubts.VPCProjectKeys, Asks: "listing a project's restrictions, and lifting one that isn't there, with a " +
			"key for the project", Decided: "200, 404",
		ask: func(a *asker) string {
			return a.newKey("{p}").statuses(request{method: http.MethodGet, path: "/projects/{p}/vpc_endpoints"},
				request{method: http.MethodDelete, path: "/projects/{p}/vpc_endpoints/" + noVPCEndpoint})
		},
	},
}
