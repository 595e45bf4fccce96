package questions

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

const (
	branches   = "/projects/{p}/branches"
	noBranch   = "br-no-such-12345678"
	readWrite  = "read_write"
	schemaOnly = "schema-only"
)

func branch(fields object) object { return object{"branch": fields} }

// refusedBranch is a request for a branch that shouldn't be there.
func (a *asker) refusedBranch(fields object) request {
	fields["name"] = a.newName()
	return request{http.MethodPost, branches, branch(fields)}
}

var branchQuestions = []Question{
	{
		Doubt: doubts.SchemaOnlyInitSource, Asks: "init_source of a branch that was created as schema-only",
		Decided: "parent-schema",
		ask: func(a *asker) string {
			return a.get(a.onNewBranch(object{"init_source": schemaOnly})).text("branch", "init_source")
		},
	},
	{
		Doubt: doubts.ParentSchemaParent, Asks: "parent of a branch that was created as parent-schema",
		Decided: "the default branch",
		ask: func(a *asker) string {
			read := a.get(a.onNewBranch(object{"init_source": "parent-schema"}))
			if read.text("branch", "parent_id") == a.branch {
				return "the default branch"
			}
			return read.fields("branch", "parent_id")
		},
	},
	{
		Doubt: doubts.RootParent, Asks: "parent_lsn and parent_timestamp of the first branch, and of a schema-only one",
		Decided: "none; none",
		ask: func(a *asker) string {
			of := func(path string) string {
				return a.get(path).fields("branch", "parent_id", "parent_lsn", "parent_timestamp")
			}
			return of(branches+"/{b}") + "; " + of(a.onNewBranch(object{"init_source": schemaOnly}))
		},
	},
	{
		Doubt: doubts.DeleteFirstBranch, Asks: "DELETE of a project's first branch, once another is the default",
		Decided: "200", Computes: 1, Seconds: 20,
		ask: func(a *asker) string {
			made := a.newProject(object{})
			path := "/projects/" + made.text("project", "id") + "/branches"
			second := a.must(http.MethodPost, path, branch(object{"init_source": schemaOnly, "name": a.newName()}))
			a.must(http.MethodPost, path+"/"+second.text("branch", "id")+"/set_as_default", nil)
			return a.status(http.MethodDelete, path+"/"+made.text("branch", "id"), nil)
		},
	},
	{
		Doubt: doubts.DeleteProtected, Asks: "DELETE of the default branch, of a protected one, and of its compute",
		Decided: "422, 422, 422", Plans: onPaid,
		Computes: 1, Seconds: 10,
		ask: func(a *asker) string {
			made := a.newBranch(object{"protected": true}, object{"type": readWrite})
			return a.statuses(request{method: http.MethodDelete, path: branches + "/{b}"},
				request{method: http.MethodDelete, path: branches + "/" + made.text("branch", "id")},
				request{method: http.MethodDelete, path: "/projects/{p}/endpoints/" + made.text("endpoints", 0, "id")})
		},
	},
	{
		Doubt: doubts.Protecting, Asks: "PATCH of a branch to be protected, and not any more, while operations run",
		Decided: "200 none, 200 none", Plans: onPaid,
		ask: func(a *asker) string {
			return a.whileBusy(object{"protected": true}) + ", " + a.whileBusy(object{"protected": false})
		},
	},
	{
		Doubt: doubts.ExpiryRefused, Asks: "an expiry for the default branch, and for a parent; a child of a branch " +
			"that expires", Decided: "422, 422, 422",
		ask: func(a *asker) string {
			expiry := branch(object{"expires_at": a.ago(-time.Hour)})
			parent := a.newBranch(object{}).text("branch", "id")
			a.newBranch(object{"parent_id": parent})
			expiring := a.newBranch(object{"expires_at": a.ago(-time.Hour)}).text("branch", "id")
			return a.statuses(request{http.MethodPatch, branches + "/{b}", expiry},
				request{http.MethodPatch, branches + "/" + parent, expiry},
				a.refusedBranch(object{"parent_id": expiring}))
		},
	},
	{
		Doubt: doubts.ExpiryRange, Asks: "branches that expire an hour ago, and in 31 days", Decided: "400, 400",
		ask: func(a *asker) string {
			return a.statuses(a.refusedBranch(object{"expires_at": a.ago(time.Hour)}),
				a.refusedBranch(object{"expires_at": a.ago(-31 * 24 * time.Hour)}))
		},
	},
	{
		Doubt: doubts.ExpiredBranch, Asks: "GET of a branch two seconds after its time has come", Decided: "404", Seconds: 15,
		ask: func(a *asker) string {
			const life = 10 * time.Second
			born := a.config.Now()
			path := a.onNewBranch(object{"expires_at": a.ago(-life)})
			a.sleep(max(0, born.Add(life+2*time.Second).Sub(a.config.Now())))
			return a.status(http.MethodGet, path, nil)
		},
	},
	{
		Doubt: doubts.ReadsDuringDeletion, Asks: "GET of a branch and of its compute right after the branch's DELETE",
		Decided: "404, 404", Computes: 1, Seconds: 10,
		ask: func(a *asker) string {
			made := a.newBranch(object{}, object{"type": readWrite})
			path := branches + "/" + made.text("branch", "id")
			deleted := a.now(http.MethodDelete, path, nil)
			answer := a.statuses(request{method: http.MethodGet, path: path},
				request{method: http.MethodGet, path: "/projects/{p}/endpoints/" + made.text("endpoints", 0, "id")})
			a.settle(deleted)
			return answer
		},
	},
	{
		Doubt: doubts.ParentTimestampRange, Asks: "a parent_timestamp in the future, before the project's creation, and " +
			"together with parent_lsn", Decided: "400, 400, 400",
		ask: func(a *asker) string {
			return a.statuses(a.refusedBranch(object{"parent_timestamp": a.ago(-time.Hour)}),
				a.refusedBranch(object{"parent_timestamp": a.ago(48 * time.Hour)}),
				a.refusedBranch(object{"parent_timestamp": a.ago(0), "parent_lsn": "0/1000000"}))
		},
	},
	{
		Doubt: doubts.CreationOperations, Asks: "operations of the creation of a branch with a compute", Computes: 1,
		Seconds: 10,
		Decided: "create_branch, timeline_update_protected_config, start_compute",
		ask:     func(a *asker) string { return a.newBranch(object{}, object{"type": readWrite}).actions() },
	},
	{
		Doubt: doubts.BranchOrigin, Asks: "parent_lsn and parent_timestamp in the answer to a creation and to GET, and " +
			"those of a branch with a parent_timestamp",
		Decided: "parent_lsn; parent_lsn, parent_timestamp of another moment; parent_lsn; parent_lsn, parent_timestamp of " +
			"another moment", Seconds: 5,
		ask: func(a *asker) string {
			a.fill("{p}")
			a.sleep(2 * time.Second)
			moment := a.ago(time.Second)
			fields := func(r reply) string {
				found := r.fields("branch", "parent_lsn", "parent_timestamp")
				told := r.text("branch", "parent_timestamp")
				if _, err := time.Parse(time.RFC3339, told); err == nil {
					found += map[bool]string{true: " as asked", false: " of another moment"}[told == moment]
				}
				return found
			}
			both := func(body object) string {
				made := a.newBranch(body)
				a.sleep(2 * time.Second)
				return fields(made) + "; " + fields(a.get(branches+"/"+made.text("branch", "id")))
			}
			return both(object{}) + "; " + both(object{"parent_timestamp": moment})
		},
	},
	{
		Doubt: doubts.AskedLSN, Asks: "parent_lsn of a branch that was asked for seven bytes before another's",
		Decided: "that of the other",
		ask: func(a *asker) string {
			other := a.newBranch(object{}).text("branch", "parent_lsn")
			high, low, _ := strings.Cut(other, "/")
			position, err := strconv.ParseUint(low, 16, 32)
			if err != nil || position < 7 {
				giveUp("parent_lsn is %q", other)
			}
			before := fmt.Sprintf("%s/%X", high, position-7)
			switch begins := a.newBranch(object{"parent_lsn": before}).text("branch", "parent_lsn"); begins {
			case other:
				return "that of the other"
			case before:
				return "as it was asked for"
			default:
				return "another"
			}
		},
	},
	{
		Doubt: doubts.MissingParent, Asks: "a branch of a parent that isn't there", Decided: "404",
		ask: func(a *asker) string { return a.statuses(a.refusedBranch(object{"parent_id": noBranch})) },
	},
}

// whileBusy changes a branch while work goes on in the project, and returns what operations that
// starts.
func (a *asker) whileBusy(change object) string {
	path := a.onNewBranch(object{})
	busy := a.now(http.MethodPost, branches, branch(object{"name": a.newName()}))
	changed := a.now(http.MethodPatch, path, branch(change))
	a.settle(busy)
	a.settle(changed)
	return changed.verdict() + " " + changed.actions()
}

var restoreQuestions = []Question{
	{
		Doubt: doubts.RestoreOperations, Asks: "a restore of a branch with an active compute: state of the branch, and " +
			"operations", Computes: 1, Seconds: 20,
		Decided: "resetting; suspend_compute, create_branch, delete_timeline",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{}, object{"type": readWrite})
			r := a.must(http.MethodPost, path+"/restore", a.from(a.branch, object{}))
			return r.text("branch", "current_state") + "; " + r.actions()
		},
	},
	{
		Doubt: doubts.RestoreChildToPast, Asks: "a restore of a branch with a parent to its own past", Decided: "200",
		Seconds: 5,
		ask: func(a *asker) string {
			made := a.newBranch(object{}).text("branch", "id")
			a.sleep(3 * time.Second)
			return a.status(http.MethodPost, branches+"/"+made+"/restore",
				a.from(made, object{"source_timestamp": a.ago(2 * time.Second), "preserve_under_name": a.newName()}))
		},
	},
	{
		Doubt: doubts.RestoredParent, Asks: "parent of a branch that was restored from another, without a backup, with " +
			"one, and of a root with one",
		Decided: "the source; the backup; none",
		ask: func(a *asker) string {
			source := a.newBranch(object{}).text("branch", "id")
			return a.parentAfterRestore(a.newBranch(object{}), source, false) + "; " +
				a.parentAfterRestore(a.newBranch(object{}), source, true) + "; " +
				a.parentAfterRestore(a.newBranch(object{"init_source": schemaOnly}), source, true)
		},
	},
	{
		Doubt: doubts.DeleteBackup, Asks: "DELETE of the backup of a root that was restored from another branch",
		Decided: "200",
		ask: func(a *asker) string {
			source := a.newBranch(object{}).text("branch", "id")
			root := a.newBranch(object{"init_source": schemaOnly}).text("branch", "id")
			backup := a.restored(root, source).text("id")
			if a.get(branches+"/"+root).at("branch", "parent_id") != nil {
				giveUp("the restored branch is a child of its backup")
			}
			return a.status(http.MethodDelete, branches+"/"+backup, nil)
		},
	},
	{
		Doubt: doubts.RestoreAfterSnapshot, Asks: "a reset of the child of a branch that was just restored", Decided: "200",
		ask: func(a *asker) string {
			parent := a.newBranch(object{}).text("branch", "id")
			a.must(http.MethodPost, branches+"/"+parent+"/restore", a.from(a.branch, object{}))
			child := a.newBranch(object{"parent_id": parent}).text("branch", "id")
			return a.status(http.MethodPost, branches+"/"+child+"/restore", a.from(parent, object{}))
		},
	},
}

// restored restores a branch from another, and returns its backup.
func (a *asker) restored(id, source string) reply {
	name := a.newName()
	a.must(http.MethodPost, branches+"/"+id+"/restore", a.from(source, object{"preserve_under_name": name}))
	backup := a.get(branches+"?search="+name).find("branches", "name", name)
	if backup.body == nil {
		giveUp("there is no backup named %s", name)
	}
	return backup
}

// parentAfterRestore says what the parent of a branch is that was restored from a source.
func (a *asker) parentAfterRestore(made reply, source string, backedUp bool) string {
	id := made.text("branch", "id")
	backup := ""
	if backedUp {
		backup = a.restored(id, source).text("id")
	} else {
		a.must(http.MethodPost, branches+"/"+id+"/restore", a.from(source, object{}))
	}
	switch parent := a.get(branches+"/"+id).text("branch", "parent_id"); parent {
	case "":
		return "none"
	case source:
		return "the source"
	case backup:
		return "the backup"
	default:
		return "another"
	}
}
