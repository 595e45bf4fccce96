package questions

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

// snapshotOf takes a snapshot of the branch at the path.
func (a *asker) snapshotOf(path string) reply {
	return a.must(http.MethodPost, path+"/snapshot?name="+a.newName(), nil)
}

// newRoot makes a root branch, and returns the path of what is on it.
func (a *asker) newRoot() string { return a.onNewBranch(object{"init_source": schemaOnly}) }

var snapshotQuestions = []Question{
	{
		Doubt: doubts.SnapshotOperations, Asks: "operations of a snapshot's creation, of its restore as a new branch, and " +
			"of its deletion",
		Decided: "create_branch, timeline_archive; timeline_unarchive, create_branch; delete_timeline",
		ask: func(a *asker) string {
			made := a.snapshotOf(a.newRoot())
			path := "/projects/{p}/snapshots/" + made.text("snapshot", "id")
			restored := a.must(http.MethodPost, path+"/restore", object{"name": a.newName(), "finalize_restore": false})
			return made.actions() + "; " + strings.TrimSuffix(restored.actions(), ", start_compute") + "; " +
				a.must(http.MethodDelete, path, nil).actions()
		},
	},
	{
		Doubt: doubts.SnapshotOfChild, Asks: "a snapshot and a schedule of a branch with a parent, and finalizing what " +
			"wasn't restored", Decided: "422, 422, 422",
		ask: func(a *asker) string {
			path := a.onNewBranch(object{})
			return a.statuses(request{method: http.MethodPost, path: path + "/snapshot"},
				request{http.MethodPut, path + "/backup_schedule", daily},
				request{http.MethodPost, path + "/finalize_restore", object{}})
		},
	},
	{
		Doubt: doubts.SnapshotRange, Asks: "a snapshot of the future, of before the project's creation, with both " +
			"positions, and one that has expired",
		Decided: "400, 400, 400, 400",
		ask: func(a *asker) string {
			path := a.newRoot() + "/snapshot?"
			of := func(parameters ...string) request {
				query := url.Values{}
				for i := 0; i < len(parameters); i += 2 {
					query.Set(parameters[i], parameters[i+1])
				}
				return request{method: http.MethodPost, path: path + query.Encode()}
			}
			return a.statuses(of("timestamp", a.ago(-time.Hour)), of("timestamp", a.ago(48*time.Hour)),
				of("timestamp", a.ago(0), "lsn", "0/1000000"),
				of("expires_at", a.ago(time.Hour)))
		},
	},
	{
		Doubt: doubts.SnapshotSize, Asks: "full_size in the answer to a creation, and in the list a minute later",
		Decided: "absent, there", Seconds: 65,
		ask: func(a *asker) string {
			made := a.snapshotOf(a.newRoot())
			a.sleep(65 * time.Second)
			listed := a.get("/projects/{p}/snapshots").find("snapshots", "id", made.text("snapshot", "id"))
			return presence(made.at("snapshot", "full_size") != nil) + ", " + presence(listed.at("full_size") != nil)
		},
	},
	{
		Doubt: doubts.SnapshotWithoutBranch, Asks: "the list of snapshots after the DELETE of the branch of one",
		Decided: "there",
		ask: func(a *asker) string {
			path := a.newRoot()
			made := a.snapshotOf(path)
			a.must(http.MethodDelete, path, nil)
			listed := a.get("/projects/{p}/snapshots").find("snapshots", "id", made.text("snapshot", "id"))
			return presence(listed.body != nil)
		},
	},
	{
		Doubt: doubts.UnfinishedRestore, Asks: "a branch that was restored from a snapshot, and doesn't replace " +
			"another yet", Decided: "parent_id absent, 1 computes",
		Computes: 1, Seconds: 10,
		ask: func(a *asker) string {
			made := a.restoreSnapshot(a.newRoot(), object{"name": a.newName(), "finalize_restore": false})
			path := branches + "/" + made.text("branch", "id")
			computes := a.get(path+"/endpoints").texts("endpoints", "id")
			return fmt.Sprintf("parent_id %s, %d computes",
				presence(a.get(path).at("branch", "parent_id") != nil), len(computes))
		},
	},
	{
		Doubt: doubts.ReplacedBranch, Asks: "a branch with a child, a compute and a schedule that a restore in one step " +
			"replaced: name, computes, children, schedule",
		Decided: "the name and (old), 0 computes, keeps its child, 1 entries in its schedule", Plans: onPaid, Computes: 1,
		Seconds: 20,
		ask: func(a *asker) string {
			made := a.newBranch(object{"init_source": schemaOnly}, object{"type": readWrite})
			id, name := made.text("branch", "id"), made.text("branch", "name")
			child := a.newBranch(object{"parent_id": id})
			a.must(http.MethodPut, branches+"/"+id+"/backup_schedule", daily)
			a.restoreSnapshot(branches+"/"+id, object{"finalize_restore": true})
			old := a.get(branches+"/"+id).text("branch", "name")
			computes := a.get(branches+"/"+id+"/endpoints").texts("endpoints", "id")
			keeps := "loses"
			if a.get(branches+"/"+child.text("branch", "id")).text("branch", "parent_id") == id {
				keeps = "keeps"
			}
			entries := a.get(branches+"/"+id+"/backup_schedule").texts("schedule", "frequency")
			return fmt.Sprintf("%s, %d computes, %s its child, %d entries in its schedule",
				strings.Replace(old, name+" (old)", "the name and (old)", 1),
				len(computes), keeps, len(entries))
		},
	},
}

// daily is the body of a backup schedule.
var daily = object{"schedule": []object{{"frequency": "daily", "hour": 3}}}

// restoreSnapshot restores a new snapshot of a branch.
func (a *asker) restoreSnapshot(path string, body object) reply {
	id := a.snapshotOf(path).text("snapshot", "id")
	return a.must(http.MethodPost, "/projects/{p}/snapshots/"+id+"/restore", body)
}
