package emulator

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// files are the names in a folder.
func files(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

func TestStateOfTwoEmulators(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.db")
	first, err := New(Config{StateFile: file})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{StateFile: file}); err == nil ||
		!strings.Contains(err.Error(), file+" is in use by another emulator") {
		t.Errorf("a second emulator: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(file, link); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	} else if err == nil {
		if _, err := New(Config{StateFile: link}); err == nil ||
			!strings.Contains(err.Error(), "is in use by another emulator") {
			t.Errorf("a second emulator by way of a link: %v", err)
		}
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	second, err := New(Config{StateFile: file})
	if err != nil {
		t.Fatal(err)
	}
	if second.FirstWorld() != first.FirstWorld() {
		t.Error("the world is another one")
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	if left := files(t, filepath.Dir(file)); left != "state.db" {
		t.Errorf("files are left: %s", left)
	}
}

func TestStateIsWrittenByWritesAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.db")
	p := start(t, Config{StateFile: file})
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	untouched := func() bool {
		t.Helper()
		is, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return is.ModTime().Equal(began)
	}
	touch := func() {
		t.Helper()
		if err := os.Chtimes(file, began, began); err != nil {
			t.Fatal(err)
		}
	}
	touch()
	for _, path := range []string{"{p}", "{p}/branches", "/users/me", "/api_keys"} {
		p.must("GET", path, "")
	}
	p.control("GET", "/objects", "")
	p.send("GET", "/claim/none", "")
	p.api("PATCH", "{p}", `{"project":{"name":1}}`).refused(400, "must be a string")
	if !untouched() {
		t.Error("reads or refusals wrote the state")
	}
	claimable := p.send("POST", "/api/v1/database", `{"ref":"r"}`).str("id")
	for _, write := range []func(){
		func() { p.must("POST", "{p}/branches", "") },
		func() { p.control("POST", "/clock", `{"advance":"1h"}`) },
		func() { p.control("POST", "/claimable_databases/"+claimable+"/claim", "") },
	} {
		touch()
		if write(); untouched() {
			t.Error("a write isn't in the state when it is answered")
		}
	}
	if now := files(t, filepath.Dir(file)); now != "state.db" {
		t.Errorf("beside the state are files: %s", now)
	}
}

func TestStateThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.named("kept")
	key := int64(p.must("POST", "/api_keys", `{"key_name":"kept"}`).at("id").(float64))
	p.clock.advance(time.Minute)
	p.must("POST", "/api_keys", `{"key_name":"other"}`)
	before := p.control("GET", "/objects", "").text
	file := p.e.state.file
	file.MaxSize, file.AllocSize = 1, 1 // The disk is full.
	large, many := strings.Repeat("x", 200_000), strings.Repeat(`"10.0.0.1",`, 20_000)+`"10.0.0.2"`
	for _, refused := range [][3]string{
		{"POST", "{p}/branches", `{"annotation_value":{"k":"` + large + `"},"branch":{"name":"refused"}}`},
		{"PATCH", "{p}", `{"project":{"name":"refused","settings":{"allowed_ips":{"ips":[` + many + `]}}}}`},
		{"POST", "/projects", `{"project":{"name":"refused","org_id":"` + p.org + `","settings":{"allowed_ips":{"ips":[` + many + `]}}}}`},
	} {
		p.api(refused[0], refused[1], refused[2]).refused(500, "unable to write the state, so nothing was changed")
	}
	if after := p.control("GET", "/objects", "").text; after != before {
		t.Errorf("what couldn't be kept is there:\n%s\nbefore:\n%s", after, before)
	}
	file.MaxSize, file.AllocSize = 0, 1<<24
	p.must("POST", "{p}/branches", `{"branch":{"name":"refused"}}`)
	p.must("DELETE", fmt.Sprintf("/api_keys/%d", key), "")
}

// A move of the clock that couldn't be kept moves nothing: what is due after a minute comes then.
func TestStateThatCannotBeWritten_clock(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	writable, copied := p.e.state.file, filepath.Join(t.TempDir(), "copy.db")
	if err := writable.View(func(tx *bbolt.Tx) error { return tx.CopyFile(copied, 0o600) }); err != nil {
		t.Fatal(err)
	}
	readOnly, err := bbolt.Open(copied, 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = readOnly.Close() }()
	p.e.state.file = readOnly
	p.send("POST", "/_emulator/clock", `{"advance":"1h"}`).refused(500, "unable to write the state")
	p.e.state.file = writable
	p.control("POST", "/faults", `{"route":"`+branchCreation+`","kind":"late","status":504,"delay":"1m","count":1}`)
	p.api("POST", "{p}/branches", `{"branch":{"name":"behind"}}`).refused(http.StatusGatewayTimeout, "Gateway Timeout")
	p.clock.advance(time.Minute)
	if p.control("GET", "/objects", ""); p.branchNamed("behind") == nil {
		t.Error("the effect didn't come after its delay")
	}
}

// A project that is recovered has the branches that it had, which needn't be counted to keep it.
func TestRecoveryIsNarrow(t *testing.T) {
	t.Parallel()
	e, err := New(Config{StateFile: filepath.Join(t.TempDir(), "world.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	first := e.world.First
	if err := e.platformToSeed().Ask(t.Context(), "DELETE", apiRoot+"/projects/"+first.ProjectID, nil, nil); err != nil {
		t.Fatal(err)
	}
	request := httptest.NewRequest(http.MethodPost, "/", nil)
	request.SetPathValue("project_id", first.ProjectID)
	request.Header.Set("Authorization", "Bearer "+first.APIKey)
	if _, _, _, err := e.change(&call{Request: request}, asked(recoveryRoutes[0])); err != nil {
		t.Fatal(err)
	}
	if noted := e.changed.projects[first.ProjectID]; noted == nil || noted[first.BranchID] {
		t.Errorf("the recovery is noted as %+v", noted)
	}
}

// A write takes as long in a world of 10,000 branches as in a small one: also one that changes other branches, or the
// whole project, such as a restore and a deletion.
func BenchmarkKeptWrites(b *testing.B) {
	for _, branches := range []int{1, 10_000} {
		e, err := New(Config{StateFile: filepath.Join(b.TempDir(), "world.db"), Conflicts: ConflictsNone,
			OperationDuration: time.Nanosecond})
		if err != nil {
			b.Fatal(err)
		}
		s := e.platformToSeed()
		var made struct {
			Projects []string `json:"project_ids"`
		}
		sized := map[string]any{"name": "large", "count": 1, "branches": branches, "endpoints_per_branch": 1}
		if err := s.Ask(b.Context(), "POST", "/_emulator/projects", sized, &made); err != nil {
			b.Fatal(err)
		}
		ask := func(b *testing.B, method, path string, body, answer any) {
			b.Helper()
			if err := s.Ask(b.Context(), method, apiRoot+path, body, answer); err != nil {
				b.Fatal(err)
			}
		}
		project, root := "/projects/"+made.Projects[0], e.world.Projects[made.Projects[0]].DefaultBranchID
		branch := project + "/branches/" + root
		for _, write := range []struct {
			name string
			do   func(b *testing.B)
		}{
			{"change", func(b *testing.B) {
				ask(b, "PATCH", branch, rawJSON(`{"branch":{"name":"`+wire.NewUUID()+`"}}`), nil)
			}},
			{"snapshot", func(b *testing.B) {
				var taken struct{ Snapshot struct{ ID string } }
				ask(b, "POST", branch+"/snapshot", nil, &taken)
				snapshot := project + "/snapshots/" + taken.Snapshot.ID
				var restored struct{ Branch struct{ ID string } }
				ask(b, "POST", snapshot+"/restore", rawJSON(`{"name":"`+wire.NewUUID()+`"}`), &restored)
				ask(b, "DELETE", project+"/branches/"+restored.Branch.ID, nil, nil)
				ask(b, "DELETE", snapshot, nil, nil)
			}},
			{"restore", func(b *testing.B) {
				moment := e.worldTime().Add(-time.Millisecond).UTC().Format(time.RFC3339Nano)
				ask(b, "POST", branch+"/restore", rawJSON(`{"source_branch_id":"`+root+`","source_timestamp":"`+moment+
					`","preserve_under_name":"`+wire.NewUUID()+`"}`), nil)
			}},
			{"deletion", func(b *testing.B) {
				ask(b, "DELETE", project, nil, nil)
				b.StopTimer()
				ask(b, "POST", project+"/recover", nil, nil)
				b.StartTimer()
			}},
			{"recovery", func(b *testing.B) {
				b.StopTimer()
				ask(b, "DELETE", project, nil, nil)
				b.StartTimer()
				ask(b, "POST", project+"/recover", nil, nil)
			}},
		} {
			b.Run(fmt.Sprintf("%s/branches=%d", write.name, branches), func(b *testing.B) {
				for b.Loop() {
					write.do(b)
				}
			})
		}
		if err := e.Close(); err != nil {
			b.Error(err)
		}
	}
}
