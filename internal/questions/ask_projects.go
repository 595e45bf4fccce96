package questions

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// nobody is an address that no mail arrives at (RFC 2606).
const nobody = NamePrefix + "nobody@example.com"

// readableKeys is a JWKS URL that can be read.
const readableKeys = "https://www.googleapis.com/oauth2/v3/certs"

func project(fields object) object { return object{"project": fields} }

func settings(fields object) object { return project(object{"settings": fields}) }

var projectQuestions = []Question{
	{
		Key: "logical-replication-off", Asks: "PATCH of a project that has logical replication, without it", Decided: "400", Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			made := a.newProject(object{"settings": object{"enable_logical_replication": true}})
			return a.status(http.MethodPatch, "/projects/"+made.text("project", "id"), settings(object{"enable_logical_replication": false}))
		},
	},
	{
		Key: "hipaa-off", Asks: "PATCH of a project that has HIPAA, without it", Decided: "400", Plans: onScale, Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			made := a.newProject(object{"settings": object{"hipaa": true}})
			return a.status(http.MethodPatch, "/projects/"+made.text("project", "id"), settings(object{"hipaa": false}))
		},
	},
	{
		Key: "allowed-ips-alone", Asks: "PATCH of allowed_ips with ips alone, after one with protected_branches_only", Plans: onScale,
		Decided: "protected_branches_only is false",
		ask: func(a *asker) string {
			a.must(http.MethodPatch, "/projects/{p}", settings(object{"allowed_ips": object{"ips": []string{"192.0.2.1"}, "protected_branches_only": true}}))
			changed := a.must(http.MethodPatch, "/projects/{p}", settings(object{"allowed_ips": object{"ips": []string{"192.0.2.2"}}}))
			a.must(http.MethodPatch, "/projects/{p}", settings(object{"allowed_ips": object{"ips": []string{}, "protected_branches_only": false}}))
			return "protected_branches_only is " + changed.text("project", "settings", "allowed_ips", "protected_branches_only")
		},
	},
	{
		Key: "default-pg-settings", Asks: "PATCH of default_endpoint_settings.pg_settings with another setting than before",
		Decided: "DateStyle, autoscaling_limit_max_cu 0.25",
		ask: func(a *asker) string {
			set := func(name, value string) reply {
				return a.must(http.MethodPatch, "/projects/{p}", project(object{"default_endpoint_settings": object{"pg_settings": object{name: value}}}))
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
		Key: "delete-protected-project", Asks: "DELETE of a project with a protected branch", Decided: "422", Plans: onPaid, Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			made := a.newProject(object{})
			path := "/projects/" + made.text("project", "id")
			a.must(http.MethodPatch, path+"/branches/"+made.text("branch", "id"), object{"branch": object{"protected": true}})
			return a.status(http.MethodDelete, path, nil)
		},
	},
	{
		Key: "unknown-region", Asks: "POST /projects with the region aws-nowhere-1", Decided: "400", NoProject: true,
		ask: func(a *asker) string {
			return a.status(http.MethodPost, "/projects", project(object{"name": a.newName(), "org_id": a.org, "region_id": "aws-nowhere-1"}))
		},
	},
	{
		Key: "regions", Asks: "GET /regions for the organization, also with a key for one project",
		Decided: "aws-ap-southeast-1, aws-ap-southeast-2, aws-eu-central-1, aws-eu-west-2, aws-sa-east-1, aws-us-east-1, aws-us-east-2, aws-us-west-2; " +
			"aws-us-east-1 is the default; the project's key sees as many",
		ask: func(a *asker) string {
			own, other := a.must(http.MethodGet, "/regions?org_id={o}", nil), a.newKey("{p}").send(http.MethodGet, "/regions", nil)
			ids := own.texts("regions", "region_id")
			sees := fmt.Sprintf("%d (%s)", len(other.texts("regions", "region_id")), other.verdict())
			if len(other.texts("regions", "region_id")) == len(ids) {
				sees = "as many"
			}
			slices.Sort(ids)
			return listed(ids...) + "; " + own.find("regions", "default", "true").text("region_id") + " is the default; the project's key sees " + sees
		},
	},
	{
		Key: "regions-of-others", Asks: "GET /regions with an organization that isn't there", Decided: "404", NoProject: true,
		ask: func(a *asker) string { return a.status(http.MethodGet, "/regions?org_id="+noOrganization, nil) },
	},
	{
		Key: "deleted-projects", Asks: "GET of a project that was deleted, also with its key, and the list of recoverable ones", Computes: 1, Seconds: 10,
		Decided: "404, its key 401, listed as recoverable",
		ask: func(a *asker) string {
			path, key := a.deletedProject()
			answer := a.status(http.MethodGet, path, nil) + ", its key " + key.status(http.MethodGet, path, nil)
			listed := a.must(http.MethodGet, "/projects?limit=400&recoverable=true&org_id={o}", nil)
			if listed.find("projects", "id", strings.TrimPrefix(path, "/projects/")).body == nil {
				return answer + ", not listed as recoverable"
			}
			return answer + ", listed as recoverable"
		},
	},
	{
		Key: "recover-undeleted", Asks: "recovering a project that isn't deleted", Decided: "404",
		ask: func(a *asker) string { return a.status(http.MethodPost, "/projects/{p}/recover", nil) },
	},
	{
		Key: "recovered-project", Asks: "a project that was deleted and recovered: its computes, permissions and keys", Computes: 1, Seconds: 20,
		Decided: "computes idle, 1 shared with, its key 401",
		ask: func(a *asker) string {
			path, key := a.deletedProject()
			a.must(http.MethodPost, path+"/recover", nil)
			computes := a.must(http.MethodGet, path+"/endpoints", nil).texts("endpoints", "current_state")
			shared := a.must(http.MethodGet, path+"/permissions", nil).texts("project_permissions", "id")
			return fmt.Sprintf("computes %s, %d shared with, its key %s", listed(computes...), len(shared), key.status(http.MethodGet, path, nil))
		},
	},
	{
		Key: "transfer-by-org-key", Asks: "a transfer to an organization that isn't there, with an organization's key", Decided: "404",
		ask: func(a *asker) string {
			return a.newKey("").status(http.MethodPost, "/organizations/{o}/projects/transfer", a.transfer(noOrganization))
		},
	},
	{
		Key: "transfer-from-user", Asks: "POST /users/me/projects/transfer of an organization's project to the same organization", Decided: "404",
		ask: func(a *asker) string {
			return a.status(http.MethodPost, "/users/me/projects/transfer", a.transfer(a.org))
		},
	},
}

// noOrganization is the id of none.
const noOrganization = "org-no-such-12345678"

func (a *asker) transfer(to string) object {
	return object{"destination_org_id": to, "project_ids": []string{a.fill("{p}")}}
}

// deletedProject makes a project that is shared and has a key, and deletes it.
func (a *asker) deletedProject() (path string, key *asker) {
	id := a.newProject(object{}).text("project", "id")
	path, key = "/projects/"+id, a.newKey(id)
	a.must(http.MethodPost, path+"/permissions", object{"email": nobody})
	a.must(http.MethodDelete, path, nil)
	return path, key
}

var sharingQuestions = []Question{
	{
		Key: "second-permission", Asks: "POST of a permission for an address that has one, also in capitals", Decided: "409, 409",
		ask: func(a *asker) string {
			granted := a.must(http.MethodPost, "/projects/{p}/permissions", object{"email": nobody})
			answer := a.statuses(request{http.MethodPost, "/projects/{p}/permissions", object{"email": nobody}},
				request{http.MethodPost, "/projects/{p}/permissions", object{"email": strings.ToUpper(nobody)}})
			a.revokeAll(granted)
			return answer
		},
	},
	{
		Key: "revoked-permission", Asks: "the list of permissions with a revoked one, and its second DELETE", Decided: "absent, revoked_at absent, 404",
		ask: func(a *asker) string {
			granted := a.must(http.MethodPost, "/projects/{p}/permissions", object{"email": nobody})
			path := "/projects/{p}/permissions/" + granted.text("id")
			a.must(http.MethodDelete, path, nil)
			shown := a.must(http.MethodGet, "/projects/{p}/permissions", nil).find("project_permissions", "id", granted.text("id"))
			return presence(shown.body != nil) + ", revoked_at " + presence(shown.at("revoked_at") != nil) + ", " + a.status(http.MethodDelete, path, nil)
		},
	},
	{
		Key: "permission-without-account", Asks: "POST of a permission for " + nobody, Decided: "200",
		ask: func(a *asker) string {
			granted := a.send(http.MethodPost, "/projects/{p}/permissions", object{"email": nobody})
			a.revokeAll(granted)
			return granted.verdict()
		},
	},
	{
		Key: "jwks-unreadable", Asks: "POST of a JWKS URL that leads nowhere, and of one that isn't https", Decided: "400, 400",
		ask: func(a *asker) string {
			return a.statuses(request{http.MethodPost, "/projects/{p}/jwks", a.jwks("https://" + NamePrefix + "nowhere.invalid/keys")},
				request{http.MethodPost, "/projects/{p}/jwks", a.jwks("http://example.com/" + NamePrefix)})
		},
	},
	{
		Key: "jwks-second", Asks: "POST of the same JWKS URL twice", Decided: "201, with an id of its own",
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
		Key: "jwks-operations", Asks: "POST of a JWKS URL for a branch without a compute: operations, and roles afterwards", Decided: "none; anonymous, authenticated, authenticator",
		ask: func(a *asker) string {
			body := a.jwks(readableKeys)
			path := fmt.Sprintf("/projects/{p}/branches/%s/roles", body["branch_id"])
			before := a.must(http.MethodGet, path, nil).texts("roles", "name")
			added := a.must(http.MethodPost, "/projects/{p}/jwks", body)
			after := slices.DeleteFunc(a.must(http.MethodGet, path, nil).texts("roles", "name"), func(name string) bool { return slices.Contains(before, name) })
			if len(after) == 0 {
				return added.actions() + "; no new role"
			}
			slices.Sort(after)
			return added.actions() + "; " + listed(after...)
		},
	},
	{
		Key: "jwks-role-names", Asks: "role_names in the answer to a JWKS URL without any, and with one", Decided: "[], [a_role]",
		ask: func(a *asker) string {
			without, with := a.jwks(readableKeys), a.jwks(readableKeys)
			with["role_names"] = []string{"a_role"}
			names := func(r reply) string {
				if r.at("jwks", "role_names") == nil {
					return "absent"
				}
				return r.text("jwks", "role_names")
			}
			return names(a.must(http.MethodPost, "/projects/{p}/jwks", without)) + ", " + names(a.must(http.MethodPost, "/projects/{p}/jwks", with))
		},
	},
	{
		Key: "data-api-settings", Asks: "a Data API that was created without settings, read again", Decided: "active, all rows, schemas [public]",
		ask: func(a *asker) string {
			path := a.newDataAPI()
			read := a.must(http.MethodGet, path, nil)
			return fmt.Sprintf("%s, %s rows, schemas %s", read.text("status"), cmp.Or(read.text("settings", "db_max_rows"), "all"), read.text("available_schemas"))
		},
	},
	{
		Key: "data-api-refusals", Asks: "POST of a second Data API, of one with an external provider and no keys, GET of none", Decided: "409, 400, 404",
		ask: func(a *asker) string {
			path, other := a.newDataAPI(), a.onNewBranch(object{})+"/data-api/neondb"
			return a.statuses(request{http.MethodPost, path, object{}}, request{http.MethodPost, other, object{"auth_provider": "external"}},
				request{method: http.MethodGet, path: other})
		},
	},
	{
		Key: "data-api-operations", Asks: "the roles of a branch after the POST of a Data API", Decided: "anonymous, authenticated, authenticator",
		ask: func(a *asker) string {
			onBranch, _, _ := strings.Cut(a.newDataAPI(), "/data-api/")
			names := a.must(http.MethodGet, onBranch+"/roles", nil).texts("roles", "name")
			names = slices.DeleteFunc(names, func(name string) bool { return name == a.role })
			slices.Sort(names)
			return listed(names...)
		},
	},
	{
		Key: "data-api-of-child", Asks: "GET of the Data API of a branch of a branch that has one", Decided: "404",
		ask: func(a *asker) string {
			parent, _, _ := strings.Cut(strings.TrimPrefix(a.newDataAPI(), branches+"/"), "/")
			return a.status(http.MethodGet, a.onNewBranch(object{"parent_id": parent})+"/data-api/neondb", nil)
		},
	},
	{
		Key: "data-api-after-restore", Asks: "GET of the Data API of a branch that was reset from one without", Decided: "200",
		ask: func(a *asker) string { return a.afterReset(a.newDataAPI(), "/data-api/") },
	},
	{
		Key: "auth-after-restore", Asks: "GET of Neon Auth of a branch that was reset from one without", Decided: "404",
		ask: func(a *asker) string { return a.afterReset(a.newAuth(), "/auth") },
	},
	{
		Key: "auth-schema-left", Asks: "POST of Neon Auth where it was disabled without deleting its data", Decided: "409",
		ask: func(a *asker) string {
			path := a.newAuth()
			a.must(http.MethodDelete, path, object{"delete_data": false})
			return a.status(http.MethodPost, path, betterAuth)
		},
	},
	{
		Key: "auth-refusals", Asks: "POST of Neon Auth twice, GET where there is none, POST for a database that isn't there", Decided: "409, 404, 404",
		ask: func(a *asker) string {
			other := a.onNewBranch(object{}) + "/auth"
			return a.statuses(request{http.MethodPost, a.newAuth(), betterAuth}, request{method: http.MethodGet, path: other},
				request{http.MethodPost, other, object{"auth_provider": "better_auth", "database_name": "none"}})
		},
	},
	{
		Key: "auth-defaults", Asks: "a new Neon Auth: verification of addresses, and a domain as it is kept", Decided: "otp, https://shop.example.com",
		ask: func(a *asker) string {
			path := a.newAuth()
			a.must(http.MethodPost, path+"/domains", object{"auth_provider": "better_auth", "domain": "https://Shop.example.com/"})
			return a.must(http.MethodGet, path+"/plugins", nil).text("email_and_password", "email_verification_method") + ", " +
				a.must(http.MethodGet, path+"/domains", nil).text("domains", 0, "domain")
		},
	},
	{
		Key: "auth-mail", Asks: "the password in the answer to a change of the email provider, and a test mail without one", Decided: "empty, 400",
		ask: func(a *asker) string {
			path := a.newAuth()
			sent := a.status(http.MethodPost, path+"/email_provider/test", object{"recipient_email": "ask@example.com"})
			set := a.must(http.MethodPatch, path+"/email_provider", object{"type": "standard", "host": "smtp.example.com", "port": 465,
				"username": "u", "password": "p", "sender_email": "ask@example.com", "sender_name": "ask"})
			if set.text("password") == "p" {
				return "there, " + sent
			}
			return "empty, " + sent
		},
	},
	{
		Key: "auth-webhook", Asks: "PUT of a webhook at http://, and of one that is enabled without an address", Decided: "400, 400",
		ask: func(a *asker) string {
			path := a.newAuth() + "/webhooks"
			return a.statuses(request{http.MethodPut, path, object{"enabled": false, "webhook_url": "http://example.com/hook"}},
				request{http.MethodPut, path, object{"enabled": true}})
		},
	},
	{
		Key: "shared-mail-server", Asks: "the host of a mail server after PATCH to shared and back, with the type alone", Decided: "forgotten",
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
		Key: "credential-missing", Asks: "revealing a service credential that was revoked, DELETE of one that isn't there", Decided: "404, 404",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{}) + "/credentials"
			token := path + "/" + a.must(http.MethodPost, path, readsStorage).text("token_id")
			a.must(http.MethodDelete, token, nil)
			return a.statuses(request{method: http.MethodPost, path: token + "/reveal"}, request{method: http.MethodDelete, path: path + "/nak_live_none"})
		},
	},
	{
		Key: "credential-of-child", Asks: "revealing a branch's service credential through a branch of it", Decided: "404",
		ask: func(a *asker) string {
			made := a.newBranch(object{})
			parent := made.text("branch", "id")
			token := a.must(http.MethodPost, "/projects/{p}/branches/"+parent+"/credentials", readsStorage).text("token_id")
			return a.status(http.MethodPost, a.onNewBranch(object{"parent_id": parent})+"/credentials/"+token+"/reveal", nil)
		},
	},
	{
		Key: "second-bucket", Asks: "POST of a bucket whose name the branch has", Decided: "409",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{}) + "/buckets"
			a.must(http.MethodPost, path, object{"name": "ask"})
			return a.status(http.MethodPost, path, object{"name": "ask"})
		},
	},
	{
		Key: "jwks-missing", Asks: "DELETE of a JWKS URL that isn't there, and of one whose branch was deleted", Decided: "404, 404",
		ask: func(a *asker) string {
			body := a.jwks(readableKeys)
			id := a.must(http.MethodPost, "/projects/{p}/jwks", body).text("jwks", "id")
			a.must(http.MethodDelete, fmt.Sprintf("/projects/{p}/branches/%s", body["branch_id"]), nil)
			return a.statuses(request{method: http.MethodDelete, path: "/projects/{p}/jwks/" + noUUID}, request{method: http.MethodDelete, path: "/projects/{p}/jwks/" + id})
		},
	},
	{
		Key: "project-key-permissions", Asks: "listing, granting and revoking permissions with a key for the project", Decided: "200, 200, 200",
		ask: func(a *asker) string {
			key := a.newKey("{p}")
			listed, granted := key.send(http.MethodGet, "/projects/{p}/permissions", nil), key.send(http.MethodPost, "/projects/{p}/permissions", object{"email": nobody})
			if granted.status >= 300 {
				return listed.verdict() + ", " + granted.verdict()
			}
			revoked := key.send(http.MethodDelete, "/projects/{p}/permissions/"+granted.text("id"), nil)
			a.revokeAll(granted)
			return listed.verdict() + ", " + granted.verdict() + ", " + revoked.verdict()
		},
	},
}

// noUUID is the id of nothing.
const noUUID = "00000000-0000-4000-8000-000000000000"

var readsStorage = object{"name": NamePrefix + "credential", "scopes": []string{"storage:read"}, "principal_type": "user"}

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
	for _, id := range a.must(http.MethodGet, "/projects/{p}/permissions", nil).texts("project_permissions", "id") {
		a.exchange(http.MethodDelete, a.fill("/projects/{p}/permissions/"+id), nil)
	}
}
