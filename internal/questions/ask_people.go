package questions

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"
)

var keyQuestions = []Question{
	{
		Key: "key-names", Asks: "three keys of the organization: without a name, and two of the same", Decided: "200, 200, 200", NoProject: true,
		ask: func(a *asker) string {
			named := func(name string) request {
				return request{http.MethodPost, "/organizations/{o}/api_keys", object{"key_name": name}}
			}
			return a.statuses(named(""), named(NamePrefix+"twice"), named(NamePrefix+"twice"))
		},
	},
	{
		Key: "project-key-as-user", Asks: "GET /users/me with a key for one project", Decided: "404",
		ask: func(a *asker) string { return a.newKey("{p}").status(http.MethodGet, "/users/me", nil) },
	},
	{
		Key: "revoked-keys", Asks: "the list after the DELETE of a key, and its second DELETE", Decided: "absent, 404", NoProject: true,
		ask: func(a *asker) string {
			made := a.must(http.MethodPost, "/organizations/{o}/api_keys", object{"key_name": a.newName()})
			path := "/organizations/{o}/api_keys/" + made.text("id")
			a.must(http.MethodDelete, path, nil)
			listed := reply{body: object{"keys": a.must(http.MethodGet, "/organizations/{o}/api_keys", nil).body}}
			return presence(listed.find("keys", "id", made.text("id")).body != nil) + ", " + a.status(http.MethodDelete, path, nil)
		},
	},
	{
		Key: "order-of-refusals", Asks: "a bad body with a bad key, to a project that isn't there, and to one where operations run", Decided: "401, 404, 400",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			busy := a.now(http.MethodPost, branches, branch(object{"name": a.newName()}))
			bad := object{"role": object{"name": 1}}
			answers := []reply{
				a.with("no-key").now(http.MethodPost, path+"/roles", bad), a.now(http.MethodPost, "/projects/no-such-12345678/branches/"+noBranch+"/roles", bad),
				a.now(http.MethodPost, path+"/roles", bad),
			}
			a.settle(busy)
			return answers[0].verdict() + ", " + answers[1].verdict() + ", " + answers[2].verdict()
		},
	},
}

// caller is the member whose key is used.
func (a *asker) caller() reply {
	id := a.must(http.MethodGet, "/users/me", nil).text("id")
	return a.must(http.MethodGet, "/projects/{p}/members", nil).find("project_members", "user_id", id)
}

var memberQuestions = []Question{
	{
		Key: "member-pages", Asks: "lists of members with the limits 500 and 501: the organization's, a project's", Decided: "200, 400, 200, 400",
		ask: func(a *asker) string {
			return a.statuses(request{method: http.MethodGet, path: "/organizations/{o}/members?limit=500"},
				request{method: http.MethodGet, path: "/organizations/{o}/members?limit=501"},
				request{method: http.MethodGet, path: "/projects/{p}/members?limit=500"}, request{method: http.MethodGet, path: "/projects/{p}/members?limit=501"})
		},
	},
	{
		Key: "project-role-defaults", Asks: "the role in all projects of each role in the organization that members have", Decided: "named like the role",
		ask: func(a *asker) string {
			decided := map[string]string{"admin": "ADMIN", "editor": "EDITOR", "viewer": "VIEWER", "collaborator": ""}
			all := a.must(http.MethodGet, "/projects/{p}/members", nil)
			var others []string
			for i, role := range all.texts("project_members", "org_role") {
				if got := all.text("project_members", i, "org_default_project_permission"); got != decided[role] {
					others = append(others, role+" "+cmp.Or(got, "none"))
				}
			}
			if len(others) == 0 {
				return "named like the role"
			}
			return listed(others...)
		},
	},
	{
		Key: "project-role-counts", Asks: "project_role and effective_project_permission of the caller", Decided: "the one that counts",
		ask: func(a *asker) string {
			caller := a.caller()
			role, counts := caller.text("project_role"), caller.text("effective_project_permission")
			if role != "" && strings.EqualFold(role, counts) {
				return "the one that counts"
			}
			return fmt.Sprintf("%q and %q", role, counts)
		},
	},
	{
		Key: "who-sets-project-roles", Asks: "PUT of the caller's role in a project as it is, with keys of the organization and of the project", Decided: "200, 200",
		ask: func(a *asker) string {
			path := "/projects/{p}/members/" + a.caller().text("member_id") + "/role"
			return a.newKey("").status(http.MethodPut, path, object{"role": "admin"}) + ", " + a.newKey("{p}").status(http.MethodPut, path, object{"role": "admin"})
		},
	},
	{
		Key: "project-role-of-admin", Asks: "PUT of the role viewer in a project for an administrator of the organization", Decided: "422",
		ask: func(a *asker) string {
			caller := a.caller()
			if role := caller.text("org_role"); role != "admin" {
				giveUp("the key's owner is %s in the organization", role)
			}
			return a.status(http.MethodPut, "/projects/{p}/members/"+caller.text("member_id")+"/role?confirm_self_demotion=true", object{"role": "viewer"})
		},
	},
	{
		Key: "rotation-hints", Asks: "both hints in the answers to giving a role in a project, and to taking it", Decided: "false false, true true",
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
		Key: "vpc-missing", Asks: "GET and DELETE of a VPC endpoint that isn't there, and DELETE of such a restriction", Decided: "404, 404, 404",
		ask: func(a *asker) string {
			return a.statuses(request{method: http.MethodGet, path: vpcRegion("aws-us-east-2")}, request{method: http.MethodDelete, path: vpcRegion("aws-us-east-2")},
				request{method: http.MethodDelete, path: "/projects/{p}/vpc_endpoints/" + noVPCEndpoint})
		},
	},
	{
		Key: "vpc-regions", Asks: "assigning a VPC endpoint in azure-eastus2, and in aws-nowhere-1", Decided: "400, 400", NoProject: true,
		ask: func(a *asker) string {
			return a.statuses(request{http.MethodPost, vpcRegion("azure-eastus2"), label()}, request{http.MethodPost, vpcRegion("aws-nowhere-1"), label()})
		},
	},
	{
		Key: "vpc-plans", Asks: "assigning a VPC endpoint on Free or Launch", Decided: "403", Plans: []string{free, launch}, NoProject: true,
		ask: func(a *asker) string { return a.status(http.MethodPost, vpcRegion("aws-us-east-2"), label()) },
	},
	{
		Key: "vpc-restriction-refused", Asks: "restricting a project to a VPC endpoint that isn't assigned", Decided: "422", Plans: onScale,
		ask: func(a *asker) string {
			return a.status(http.MethodPost, "/projects/{p}/vpc_endpoints/"+noVPCEndpoint, label())
		},
	},
	{
		Key: "vpc-project-keys", Asks: "listing a project's restrictions, and lifting one that isn't there, with a key for the project", Decided: "200, 404",
		ask: func(a *asker) string {
			return a.newKey("{p}").statuses(request{method: http.MethodGet, path: "/projects/{p}/vpc_endpoints"},
				request{method: http.MethodDelete, path: "/projects/{p}/vpc_endpoints/" + noVPCEndpoint})
		},
	},
}
