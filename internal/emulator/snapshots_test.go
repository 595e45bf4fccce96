package emulator

import (
	"strings"
	"testing"
	"time"
)

// snapshot takes a snapshot of the first branch, and returns its id.
func (p *platform) snapshot(query string) string {
	p.t.Helper()
	id := p.must("POST", "{p}/branches/"+p.e.FirstWorld().BranchID+"/snapshot"+query, "").str("snapshot", "id")
	p.clock.advance(time.Minute)
	return id
}

func TestSnapshotsRefuse(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	main := "{p}/branches/" + p.e.FirstWorld().BranchID
	child := "{p}/branches/" + p.named("child")
	id := "{p}/snapshots/" + p.snapshot("?slug=taken")
	for _, test := range []struct {
		line, body, message string
		status              int
	}{
		{"POST " + child + "/snapshot", "", "root branches", 422},
		{"POST {p}/branches/br-none-none-12345678/snapshot", "", "branch not found", 404},
		{"POST " + main + "/snapshot?lsn=x", "", "lsn", 400},
		{"POST " + main + "/snapshot?slug=taken", "", `slug:"taken"`, 409},
		{"POST " + main + "/snapshot?slug=-a", "", "slug", 400},
		{"POST " + main + "/snapshot?timestamp=now", "", "timestamp", 400},
		{"POST " + main + "/snapshot?timestamp=0001-01-01T00:00:00Z", "", "timestamp", 400},
		{"POST " + main + "/snapshot?timestamp=2030-01-01T00:00:00Z", "", "timestamp cannot be in the future", 400},
		{"POST " + main + "/snapshot?timestamp=2026-02-28T11:00:00Z", "", "timestamp cannot be before the project was created", 400},
		{"POST " + main + "/snapshot?lsn=0/1&timestamp=2026-03-01T11:00:00Z", "", "together", 400},
		{"POST " + main + "/snapshot?expires_at=2026-03-01T11:00:00Z", "", "expires_at must be in the future", 400},
		{"PATCH " + id, `{"snapshot":{"name":""}}`, "name", 400},
		{"PATCH " + id, `{"snapshot":{"expires_at":"2026-03-01T11:00:00Z"}}`, "expires_at must be in the future", 400},
		{"PATCH " + id, `{"snapshot":{"expires_at":"0001-01-01T00:00:00Z"}}`, "RFC 3339", 400},
		{"PATCH {p}/snapshots/snap-none", `{"snapshot":{}}`, "snapshot not found", 404},
		{"DELETE {p}/snapshots/snap-none", "", "snapshot not found", 404},
		{"POST {p}/snapshots/snap-none/restore", "", "snapshot not found", 404},
		{"POST " + id + "/restore", `{"target_branch_id":"br-none-none-12345678"}`, "target branch not found", 404},
		{"POST " + id + "/restore", `{"name":"child"}`, "branch already exists", 409},
		{"POST " + main + "/finalize_restore", "", "no restore to finalize", 422},
		{"PUT " + child + "/backup_schedule", `{"schedule":[{"frequency":"daily"}]}`, "root branches", 422},
		{"PUT " + main + "/backup_schedule", `{"schedule":[{"frequency":"hourly"}]}`, "frequency", 400},
		{"PUT " + main + "/backup_schedule", `{"schedule":[{"frequency":"daily","hour":24}]}`, "hour", 400},
		{"PUT " + main + "/backup_schedule", `{"schedule":[{"frequency":"daily","retention_seconds":3024001}]}`, "retention_seconds", 400},
	} {
		method, path, _ := strings.Cut(test.line, " ")
		p.api(method, path, test.body).refused(test.status, test.message)
	}
}

func TestSnapshots_plans(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Plan: PlanFree})
	p.snapshot("")
	main := "{p}/branches/" + p.e.FirstWorld().BranchID
	p.api("POST", main+"/snapshot", "").refused(422, "snapshots limit exceeded")
	p.api("PUT", main+"/backup_schedule", `{"schedule":[{"frequency":"daily"}]}`).refused(422,
		"backup-schedule creation is not enabled for this project")
	p.must("PUT", main+"/backup_schedule", `{"schedule":[]}`)
}

// A snapshot is listed, changed, and gone when its time has come, or its branch has gone.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	first := p.snapshot("?name=first&expires_at=2026-03-02T12:00:00.9Z")
	second := p.snapshot("?timestamp=2026-03-01T11:30:00Z")
	list := p.must("GET", "{p}/snapshots", "")
	if list.size("snapshots") != 2 || list.str("snapshots", 0, "id") != second ||
		list.str("snapshots", 0, "timestamp") != "2026-03-01T11:30:00Z" ||
		list.str("snapshots", 1, "expires_at") != "2026-03-02T12:00:00Z" || list.at("snapshots", 1, "manual") != true {
		t.Errorf("listed: %s", list.text)
	}
	if list.at("snapshots", 0, "full_size") == nil {
		t.Errorf("the size isn't known after a minute: %s", list.text)
	}
	changed := p.must("PATCH", "{p}/snapshots/"+second, `{"snapshot":{"name":"kept","expires_at":"2026-03-03T12:00:00Z"}}`)
	if changed.str("snapshot", "name") != "kept" || changed.str("snapshot", "expires_at") != "2026-03-03T12:00:00Z" {
		t.Errorf("changed: %s", changed.text)
	}
	if cleared := p.must("PATCH", "{p}/snapshots/"+second, `{"snapshot":{"expires_at":null}}`); cleared.at("snapshot",
		"expires_at") != nil {
		t.Errorf("it still expires: %s", cleared.text)
	}
	p.clock.advance(25 * time.Hour)
	if list := p.must("GET", "{p}/snapshots", ""); list.size("snapshots") != 1 {
		t.Errorf("%s hasn't expired: %s", first, list.text)
	}
	if deleted := p.must("DELETE", "{p}/snapshots/"+second, ""); deleted.status != 202 || deleted.size("operations") != 1 {
		t.Errorf("deleted: %d %s", deleted.status, deleted.text)
	}
	p.clock.advance(time.Minute)

	root := p.branch(`{"branch":{"name":"root","init_source":"schema-only"}}`)
	p.must("POST", "{p}/branches/"+root+"/snapshot", "")
	p.clock.advance(time.Minute)
	p.must("DELETE", "{p}/branches/"+root, "")
	if list := p.must("GET", "{p}/snapshots", ""); list.size("snapshots") != 1 {
		t.Errorf("the branch is gone, and its snapshot with it: %s", list.text)
	}
}

// A one-step restore replaces the target by another branch, which has its name, protection
// and computes; one in two steps does so when it is finalized.
func TestSnapshots_restore(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	main := p.e.FirstWorld().BranchID
	p.must("PATCH", "{p}/branches/"+main, `{"branch":{"protected":true}}`)
	id := p.snapshot("")
	restored := p.must("POST", "{p}/snapshots/"+id+"/restore", `{"target_branch_id":"`+main+`","finalize_restore":true}`)
	second := restored.str("branch", "id")
	if second == main || restored.str("branch", "name") != "main" || restored.at("branch", "default") != true ||
		restored.at("branch", "protected") != true ||
		restored.str("branch", "restored_from") != id || restored.str("branch", "restored_as") != main ||
		restored.str("branch", "restore_status") != "finalized" ||
		restored.str("endpoints", 0, "id") != p.e.FirstWorld().EndpointID || restored.size("operations") != 3 {
		t.Errorf("restored: %s", restored.text)
	}
	old := p.must("GET", "{p}/branches/"+main, "")
	if old.str("branch", "name") != "main (old)" || old.at("branch", "protected") != false {
		t.Errorf("the replaced branch is %s", old.text)
	}
	p.clock.advance(time.Minute)

	preview := p.must("POST", "{p}/snapshots/"+id+"/restore", `{"target_branch_id":"`+second+`","name":"preview"}`)
	third := preview.str("branch", "id")
	if preview.str("branch", "name") != "preview" || preview.str("branch", "restore_status") != "restored" ||
		preview.size("endpoints") != 1 {
		t.Errorf("the preview is %s", preview.text)
	}
	p.clock.advance(time.Minute)
	p.must("POST", "{p}/branches/"+third+"/finalize_restore", "")
	if left := p.must("GET", "{p}/branches/"+third+"/endpoints", ""); left.size("endpoints") != 1 ||
		left.str("endpoints", 0, "id") != p.e.FirstWorld().EndpointID {
		t.Errorf("the finalized branch has %s", left.text)
	}
	if got := p.must("GET", "{p}/branches/"+third, "").str("branch", "name"); got != "main" {
		t.Errorf("the finalized branch is named %s", got)
	}
	if got := p.must("GET", "{p}/branches/"+second, "").str("branch", "name"); got != "main (old 2)" {
		t.Errorf("the second replaced branch is named %s", got)
	}
}

func TestBackupSchedule(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	at := "{p}/branches/" + p.e.FirstWorld().BranchID + "/backup_schedule"
	if none := p.must("GET", at, ""); none.size("schedule") != 0 {
		t.Errorf("without a schedule: %s", none.text)
	}
	p.must("PUT", at, `{"schedule":[{"frequency":"daily","hour":0},{"frequency":"monthly","day":1,"retention_seconds":7200}]}`)
	set := p.must("GET", at, "")
	if set.size("schedule") != 2 || set.at("schedule", 0, "hour") != 0.0 || set.at("schedule", 0,
		"retention_seconds") != 3024000.0 ||
		set.at("schedule", 1, "hour") != nil {
		t.Errorf("with one: %s", set.text)
	}
	p.must("PUT", at, `{"schedule":[]}`)
	if none := p.must("GET", at, ""); none.size("schedule") != 0 {
		t.Errorf("turned off: %s", none.text)
	}
}

// A snapshot of a real database restores its rows.
func TestDatabasesSnapshot(t *testing.T) {
	t.Parallel()
	s := serveDatabases(t)
	uri := s.mainURI()
	s.expect(t, uri, "1,2", "CREATE TABLE t (x text)", "INSERT INTO t VALUES ('1'), ('2')", "SELECT x FROM t ORDER BY x")
	id := s.snapshot()
	s.expect(t, uri, "0", "DELETE FROM t", "SELECT count(*)::text FROM t")
	s.e.databases.Sweep() // The snapshot's data isn't taken for that of a branch that is gone.
	s.must("POST", "{p}/snapshots/"+id+"/restore", `{"target_branch_id":"`+s.e.FirstWorld().BranchID+
		`","finalize_restore":true}`)
	s.clock.advance(time.Minute)
	s.expect(t, uri, "1,2", "SELECT x FROM t ORDER BY x")
}
