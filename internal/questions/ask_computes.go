package questions

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

func endpoint(fields object) object { return object{"endpoint": fields} }

// newCompute makes a branch with a compute, and returns the paths of both.
func (a *asker) newCompute() (compute, onBranch string) {
	made := a.newBranch(object{}, object{"type": readWrite})
	return "/projects/{p}/endpoints/" + made.text("endpoints", 0, "id"), branches + "/" + made.text("branch", "id")
}

// sentOfComputes are the fields of a compute that the emulator sends.
var sentOfComputes = strings.Fields("host id name project_id branch_id autoscaling_limit_min_cu " +
	"autoscaling_limit_max_cu region_id type current_state pending_state settings pooler_enabled pooler_mode disabled " +
	"passwordless_access last_active creation_source created_at updated_at started_at suspended_at proxy_host " +
	"suspend_timeout_seconds provisioner")

// newDisabled makes a compute that is disabled.
func (a *asker) newDisabled() reply {
	return a.must(http.MethodPost, "/projects/{p}/endpoints",
		endpoint(object{"branch_id": a.newBranch(object{}).text("branch", "id"), "type": readWrite, "disabled": true}))
}

var computeQuestions = []Question{
	{
		Doubt: doubts.ComputeRange, Asks: "PATCH of a compute to from 1 to 0.5 compute units, and to a suspend " +
			"timeout of 30", Decided: "400, 400", Plans: onPaid,
		Computes: 1, Seconds: 10,
		ask: func(a *asker) string {
			return a.onOwnCompute(request{http.MethodPatch, "", scalesBetween(1, 0.5)},
				request{http.MethodPatch, "", suspendAfter(30)})
		},
	},
	{
		Doubt: doubts.PatchIdleCompute, Asks: "PATCH of an active compute's settings, and of an idle one's",
		Decided:  "apply_config, suspend_compute; none",
		Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			compute, _ := a.newCompute()
			zone := func(name string) string {
				settings := object{"pg_settings": object{"TimeZone": name}}
				return a.must(http.MethodPatch, compute, endpoint(object{"settings": settings})).actions()
			}
			a.must(http.MethodPost, compute+"/start", nil)
			active := zone("UTC")
			a.must(http.MethodPost, compute+"/suspend", nil)
			return active + "; " + zone("Europe/Berlin")
		},
	},
	{
		Doubt: doubts.NewReplica, Asks: "POST of a read-only compute", Decided: "start_compute; init", Computes: 1,
		Seconds: 10,
		ask: func(a *asker) string {
			id := a.newBranch(object{}).text("branch", "id")
			made := a.must(http.MethodPost, "/projects/{p}/endpoints", endpoint(object{"branch_id": id, "type": "read_only"}))
			return made.actions() + "; " + made.text("endpoint", "current_state")
		},
	},
	{
		Doubt: doubts.CreateDisabled, Asks: "POST of a compute that is disabled", Decided: "none; idle", Computes: 1,
		Seconds: 5,
		ask: func(a *asker) string {
			made := a.newDisabled()
			state := a.get("/projects/{p}/endpoints/"+made.text("endpoint", "id")).text("endpoint", "current_state")
			return made.actions() + "; " + state
		},
	},
	{
		Doubt: doubts.NewerFields, Asks: "fields of a compute that the emulator doesn't send, such as slug, hosts " +
			"and group", Decided: "none",
		ask: func(a *asker) string {
			inside, _ := a.get("/projects/{p}/endpoints/{e}").at("endpoint").(object)
			newer := slices.DeleteFunc(slices.Sorted(maps.Keys(inside)),
				func(name string) bool { return slices.Contains(sentOfComputes, name) })
			return listed(newer...)
		},
	},
}

func role(name string) object { return object{"role": object{"name": name}} }

// newRole is the request for a role on a branch.
func newRole(onBranch, name string) request {
	return request{http.MethodPost, onBranch + "/roles", role(name)}
}

func newDatabase(onBranch, name, owner string) request {
	return request{http.MethodPost, onBranch + "/databases", object{"database": object{"name": name, "owner_name": owner}}}
}

var roleQuestions = []Question{
	{
		Doubt: doubts.RoleNames, Asks: "roles named pg_ask, neon_superuser and public", Decided: "400, 400, 400",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			return a.statuses(newRole(path, "pg_ask"), newRole(path, "neon_superuser"), newRole(path, "public"))
		},
	},
	{
		Doubt: doubts.TakenRole, Asks: "a role whose name is taken", Decided: "409",
		ask: func(a *asker) string { return a.statuses(newRole(a.onNewBranch(object{}), a.role)) },
	},
	{
		Doubt: doubts.SuspendAfterWrite, Asks: "POST of a role where the compute is active: operations, and the compute " +
			"afterwards", Decided: "apply_config; active",
		Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			compute, path := a.newCompute()
			a.must(http.MethodPost, compute+"/start", nil)
			made := a.must(http.MethodPost, path+"/roles", role("a_role"))
			return made.actions() + "; " + a.get(compute).text("endpoint", "current_state")
		},
	},
	{
		Doubt: doubts.PatchDatabase, Asks: "PATCH of a database with another name: operations", Decided: "apply_config",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			return a.must(http.MethodPatch, path+"/databases/neondb", object{"database": object{"name": "renamed"}}).actions()
		},
	},
	{
		Doubt: doubts.DatabaseNames, Asks: "databases named postgres, template0 and template1", Decided: "400, 400, 400",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			return a.statuses(newDatabase(path, "postgres", a.role), newDatabase(path, "template0", a.role),
				newDatabase(path, "template1", a.role))
		},
	},
	{
		Doubt: doubts.NamesAndOwners, Asks: "DELETE of a role that owns a database; a database whose name is taken; a " +
			"role's name of 64 letters",
		Decided: "422, 409, 400",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			return a.statuses(request{method: http.MethodDelete, path: path + "/roles/" + a.role},
				newDatabase(path, "neondb", a.role),
				newRole(path, strings.Repeat("a", 64)))
		},
	},
}
