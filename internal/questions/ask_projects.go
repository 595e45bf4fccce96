package questions

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

// nobody is an address that no mail arrives at (RFC 2606).
const nobody = NamePrefix + "nobody@example.com"

// readableKeys is a JWKS URL that can be read.
const readableKeys = "https://www.googleapis.com/oauth2/v3/certs"

func project(fields object) object { return object{"project": fields} }

func settings(fields object) object { return project(object{"settings": fields}) }

var projectQuestions = []Question{
	{
		Doubt: doubts.AllowedIPsAlone, Asks: "PATCH of allowed_ips with ips alone, after one with protected_branches_only",
		Plans:   onScale,
		Decided: "protected_branches_only is false",
		ask: func(a *asker) string {
			a.must(http.MethodPatch, "/projects/{p}", settings(object{"allowed_ips": object{"ips": []string{"192.0.2.1"},
				"protected_branches_only": true}}))
			changed := a.must(http.MethodPatch, "/projects/{p}",
				settings(object{"allowed_ips": object{"ips": []string{"192.0.2.2"}}}))
			a.must(http.MethodPatch, "/projects/{p}", settings(object{"allowed_ips": object{"ips": []string{},
				"protected_branches_only": false}}))
			return "protected_branches_only is " + changed.text("project", "settings", "allowed_ips", "protected_branches_only")
		},
	},
	{
		Doubt: doubts.DefaultPGSettings, Asks: "PATCH of default_endpoint_settings.pg_settings with another setting " +
			"than before",
		Decided: "DateStyle, autoscaling_limit_max_cu 0.25",
		ask: func(a *asker) string {
			set := func(name, value string) reply {
				return a.must(http.MethodPatch, "/projects/{p}",
					project(object{"default_endpoint_settings": object{"pg_settings": object{name: value}}}))
			}
			a.must(http.MethodPatch, "/projects/{p}", project(object{"default_endpoint_settings": object{
				"autoscaling_limit_min_cu": 0.25, "autoscaling_limit_max_cu": 0.25, "pg_settings": object{"TimeZone": "UTC"},
			}}))
			changed := set("DateStyle", "ISO")
			return changed.names("project", "default_endpoint_settings", "pg_settings") + ", autoscaling_limit_max_cu " +
				changed.text("project", "default_endpoint_settings", "autoscaling_limit_max_cu")
		},
	},
	{
		Doubt: doubts.DeleteProtectedProject, Asks: "DELETE of a project with a protected branch", Decided: "422",
		Plans: onPaid, Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			made := a.newProject(object{})
			path := "/projects/" + made.text("project", "id")
			a.must(http.MethodPatch, path+"/branches/"+made.text("branch", "id"), object{"branch": object{"protected": true}})
			return a.status(http.MethodDelete, path, nil)
		},
	},
	{
		Doubt: doubts.Regions, Asks: "GET /regions for the organization, also with a key for one project",
		Decided: "aws-ap-southeast-1, aws-ap-southeast-2, aws-eu-central-1, aws-eu-west-2, aws-sa-east-1, aws-us-east-1, " +
			"aws-us-east-2, aws-us-west-2; aws-us-east-1 is the default; the project's key sees as many",
		ask: func(a *asker) string {
			own, other := a.get("/regions?org_id={o}"), a.newKey("{p}").send(http.MethodGet, "/regions", nil)
			ids := own.texts("regions", "region_id")
			sees := fmt.Sprintf("%d (%s)", len(other.texts("regions", "region_id")), other.verdict())
			if len(other.texts("regions", "region_id")) == len(ids) {
				sees = "as many"
			}
			slices.Sort(ids)
			return listed(ids...) + "; " + own.find("regions", "default", "true").text("region_id") + " is the default; the " +
				"project's key sees " + sees
		},
	},
	{
		Doubt: doubts.TransferRequestGone, Asks: "PUT of a transfer request that isn't there", Decided: "404",
		ask: func(a *asker) string {
			return a.status(http.MethodPut, "/projects/{p}/transfer_requests/00000000-0000-4000-8000-000000000000",
				object{"org_id": a.org})
		},
	},
	{
		Doubt: doubts.RegionsOfOthers, Asks: "GET /regions with an organization that isn't there", Decided: "404",
		NoProject: true,
		ask:       func(a *asker) string { return a.status(http.MethodGet, "/regions?org_id="+noOrganization, nil) },
	},
}

// noOrganization is the id of none.
const noOrganization = "org-no-such-12345678"

var sharingQuestions = []Question{
	{
		Doubt: doubts.SecondPermission, Asks: "POST of a permission for an address that has one, also in capitals",
		Decided: "409, 409",
		ask: func(a *asker) string {
			granted := a.must(http.MethodPost, "/projects/{p}/permissions", object{"email": nobody})
			answer := a.statuses(request{http.MethodPost, "/projects/{p}/permissions", object{"email": nobody}},
				request{http.MethodPost, "/projects/{p}/permissions", object{"email": strings.ToUpper(nobody)}})
			a.revokeAll(granted)
			return answer
		},
	},
	{
		Doubt: doubts.RevokedPermission, Asks: "the list of permissions with a revoked one, and its second DELETE",
		Decided: "absent, revoked_at absent, 404",
		ask: func(a *asker) string {
			granted := a.must(http.MethodPost, "/projects/{p}/permissions", object{"email": nobody})
			path := "/projects/{p}/permissions/" + granted.text("id")
			a.must(http.MethodDelete, path, nil)
			shown := a.get("/projects/{p}/permissions").find("project_permissions", "id", granted.text("id"))
			return presence(shown.body != nil) + ", revoked_at " + presence(shown.at("revoked_at") != nil) + ", " +
				a.status(http.MethodDelete, path, nil)
		},
	},
	{
		Doubt: doubts.JWKSUnreadable, Asks: "POST of a JWKS URL that leads nowhere, and of one that isn't https",
		Decided: "400, 400",
		ask: func(a *asker) string {
			return a.statuses(request{http.MethodPost, "/projects/{p}/jwks",
				a.jwks("https://" + NamePrefix + "nowhere.invalid/keys")},
				request{http.MethodPost, "/projects/{p}/jwks", a.jwks("http://example.com/" + NamePrefix)})
		},
	},
	{
		Doubt: doubts.JWKSSecond, Asks: "POST of the same JWKS URL twice", Decided: "201, with an id of its own",
		ask: func(a *asker) string {
			body := a.jwks(readableKeys)
			first := a.must(http.MethodPost, "/projects/{p}/jwks", body)
			second := a.send(http.MethodPost, "/projects/{p}/jwks", body)
			if id := second.text("jwks", "id"); id != "" && id != first.text("jwks", "id") {
				return second.verdict() + ", with an id of its own"
			}
			return second.verdict()
		},
	},
	{
		Doubt: doubts.JWKSOperations, Asks: "POST of a JWKS URL for a branch without a compute: operations, and roles " +
			"afterwards", Decided: "none; anonymous, authenticated, authenticator",
		ask: func(a *asker) string {
			body := a.jwks(readableKeys)
			path := fmt.Sprintf("/projects/{p}/branches/%s/roles", body["branch_id"])
			before := a.get(path).texts("roles", "name")
			added := a.must(http.MethodPost, "/projects/{p}/jwks", body)
			after := slices.DeleteFunc(a.get(path).texts("roles", "name"),
				func(name string) bool { return slices.Contains(before, name) })
			if len(after) == 0 {
				return added.actions() + "; no new role"
			}
			slices.Sort(after)
			return added.actions() + "; " + listed(after...)
		},
	},
	{
		Doubt: doubts.JWKSRoleNames, Asks: "role_names in the answer to a JWKS URL without any, and with one",
		Decided: "[], [a_role]",
		ask: func(a *asker) string {
			without, with := a.jwks(readableKeys), a.jwks(readableKeys)
			with["role_names"] = []string{"a_role"}
			names := func(r reply) string {
				if r.at("jwks", "role_names") == nil {
					return "absent"
				}
				return r.text("jwks", "role_names")
			}
			return names(a.must(http.MethodPost, "/projects/{p}/jwks", without)) + ", " +
				names(a.must(http.MethodPost, "/projects/{p}/jwks", with))
		},
	},
	{
		Doubt: doubts.DataAPISettings, Asks: "a Data API that was created without settings, read again",
		Decided: "active, all rows, schemas [public]",
		ask: func(a *asker) string {
			path := a.newDataAPI()
			read := a.get(path)
			return fmt.Sprintf("%s, %s rows, schemas %s", read.text("status"),
				cmp.Or(read.text("settings", "db_max_rows"), "all"), read.text("available_schemas"))
		},
	},
	{
		Doubt: doubts.DataAPIOfChild, Asks: "GET of the Data API of a branch of a branch that has one", Decided: "404",
		ask: func(a *asker) string {
			parent, _, _ := strings.Cut(strings.TrimPrefix(a.newDataAPI(), branches+"/"), "/")
			return a.status(http.MethodGet, a.onNewBranch(object{"parent_id": parent})+"/data-api/neondb", nil)
		},
	},
	{
		Doubt: doubts.DataAPIAfterRestore, Asks: "GET of the Data API of a branch that was reset from one without",
		Decided: "200",
		ask:     func(a *asker) string { return a.afterReset(a.newDataAPI(), "/data-api/") },
	},
	{
		Doubt: doubts.AuthAfterRestore, Asks: "GET of Neon Auth of a branch that was reset from one without", Decided: "404",
		ask: func(a *asker) string { return a.afterReset(a.newAuth(), "/auth") },
	},
	{
		Doubt: doubts.AuthSchemaLeft, Asks: "POST of Neon Auth where it was disabled without deleting its data",
		Decided: "409",
		ask: func(a *asker) string {
			path := a.newAuth()
			a.must(http.MethodDelete, path, object{"delete_data": false})
			return a.status(http.MethodPost, path, betterAuth)
		},
	},
	{
		Doubt: doubts.SharedMailServer, Asks: "the host of a mail server after PATCH to shared and back, with the " +
			"type alone", Decided: "forgotten",
		ask: func(a *asker) string {
			path := a.newAuth() + "/email_provider"
			a.must(http.MethodPatch, path, object{"type": "standard", "host": "smtp.example.com", "port": 465,
				"username": "u", "password": "p", "sender_email": "ask@example.com", "sender_name": "ask"})
			a.must(http.MethodPatch, path, object{"type": "shared"})
			if a.must(http.MethodPatch, path, object{"type": "standard"}).text("host") == "" {
				return "forgotten"
			}
			return "kept"
		},
	},
	{
		Doubt: doubts.SecondBucket, Asks: "POST of a bucket whose name the branch has", Decided: "409",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{}) + "/buckets"
			a.must(http.MethodPost, path, object{"name": "ask"})
			return a.status(http.MethodPost, path, object{"name": "ask"})
		},
	},
}

var betterAuth = object{"auth_provider": "better_auth"}

// newAuth enables Neon Auth on a new branch, and returns its path.
func (a *asker) newAuth() string {
	path := a.onNewBranch(object{}) + "/auth"
	a.must(http.MethodPost, path, betterAuth)
	return path
}

// newDataAPI makes a Data API of a new branch, and returns its path.
func (a *asker) newDataAPI() string {
	path := a.onNewBranch(object{}) + "/data-api/neondb"
	a.must(http.MethodPost, path, object{})
	return path
}

// afterReset returns how what a branch has is answered once the branch is reset from the default one.
func (a *asker) afterReset(path, from string) string {
	onBranch, _, _ := strings.Cut(path, from)
	a.must(http.MethodPost, onBranch+"/restore", a.from(a.branch, object{}))
	return a.status(http.MethodGet, path, nil)
}

// jwks is the body that adds a JWKS URL for a new branch, with which it goes.
func (a *asker) jwks(url string) object {
	return object{"jwks_url": url, "provider_name": "ask", "branch_id": a.newBranch(object{}).text("branch", "id")}
}

// revokeAll takes back what was granted in the project.
func (a *asker) revokeAll(granted reply) {
	if granted.status >= 300 {
		return
	}
	for _, id := range a.get("/projects/{p}/permissions").texts("project_permissions", "id") {
		a.exchange(http.MethodDelete, a.fill("/projects/{p}/permissions/"+id), nil)
	}
}
