package questions

import (
	"maps"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

const anonymizedBranches = "/projects/{p}/branch_anonymized"

// newAnonymized creates an anonymized branch that can be anonymized, and returns the answer and its path.
func (a *asker) newAnonymized(body object) (made reply, path string) {
	body["branch_create"] = branch(object{"name": a.newName()})
	made = a.must(http.MethodPost, anonymizedBranches, body)
	path = branches + "/" + made.text("branch", "id")
	a.awaitState(path, "initialized")
	return made, path
}

// awaitState waits for a state of an anonymized branch.
func (a *asker) awaitState(path, state string) {
	for waited := time.Duration(0); a.get(path+"/anonymized_status").text("state") != state; waited += pauseMost {
		if waited > longestWait {
			giveUp("it is never %s", state)
		}
		a.sleep(pauseMost)
	}
}

// maskingRule is one for a column that there may be.
func maskingRule(masks object) object {
	rule := object{"database_name": "neondb", "schema_name": "public", "table_name": "people", "column_name": "email"}
	maps.Copy(rule, masks)
	return rule
}

var anonymizedQuestions = []Question{
	{
		Doubt: doubts.RestrictedActions, Asks: "a restore of an anonymized branch, and DELETE of its read-write compute",
		Decided: "422, 422", Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			made, path := a.newAnonymized(object{})
			return a.statuses(request{http.MethodPost, path + "/restore",
				object{"source_branch_id": made.text("branch", "parent_id")}},
				request{method: http.MethodDelete, path: "/projects/{p}/endpoints/" + made.text("endpoints", 0, "id")})
		},
	},
	{
		Doubt: doubts.OrdinaryBranch, Asks: "GET of the masking rules and the anonymization of an ordinary branch",
		Decided: "404, 404",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			return a.statuses(request{method: http.MethodGet, path: path + "/masking_rules"},
				request{method: http.MethodGet, path: path + "/anonymized_status"})
		},
	},
	{
		Doubt: doubts.AnonymizeTooEarly, Asks: "anonymizing a branch that was just created", Decided: "409", Computes: 1,
		Seconds: 20,
		ask: func(a *asker) string {
			made := a.now(http.MethodPost, anonymizedBranches, object{"branch_create": branch(object{"name": a.newName()})})
			early := a.now(http.MethodPost, branches+"/"+made.text("branch", "id")+"/anonymize", nil).verdict()
			a.settle(made)
			return early
		},
	},
	{
		Doubt: doubts.AnonymizedNetworks, Asks: "POST of an anonymized branch in a project with IP Allow", Decided: "422",
		Plans: onScale,
		ask: func(a *asker) string {
			allowed := object{"ips": []string{"192.0.2.1"}}
			id := a.newProject(object{"settings": object{"allowed_ips": allowed}}).text("project", "id")
			return a.status(http.MethodPost, "/projects/"+id+"/branch_anonymized", object{})
		},
	},
	{
		Doubt: doubts.AnonymizeAnswer, Asks: "the state in the answer to anonymizing a branch", Decided: "anonymizing",
		Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			_, path := a.newAnonymized(object{})
			return a.must(http.MethodPost, path+"/anonymize", nil).text("state")
		},
	},
	{
		Doubt: doubts.AnonymizeBegins, Asks: "the state of an anonymized branch right after it is anonymized again",
		Decided: "anonymizing", Computes: 1, Seconds: 30,
		ask: func(a *asker) string {
			_, path := a.newAnonymized(object{})
			a.must(http.MethodPost, path+"/anonymize", nil)
			a.awaitState(path, "anonymized")
			a.must(http.MethodPost, path+"/anonymize", nil)
			return a.now(http.MethodGet, path+"/anonymized_status", nil).text("state")
		},
	},
	{
		Doubt: doubts.MaskingRules, Asks: "PATCH of a masking rule with a function and a value, with neither, and of two " +
			"for a column", Decided: "400, 400, 400", Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			_, path := a.newAnonymized(object{})
			set := func(rules ...object) request {
				return request{http.MethodPatch, path + "/masking_rules", object{"masking_rules": rules}}
			}
			one := maskingRule(object{"masking_value": "'x'"})
			return a.statuses(set(maskingRule(object{"masking_value": "'x'", "masking_function": "anon.fake_email()"})),
				set(maskingRule(nil)), set(one, one))
		},
	},
}
