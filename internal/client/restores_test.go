package client

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A restore shows in where the branch begins, in when it was reset, or in that it is being reset. Anything else that
// has changed says nothing.
func TestARestoreShows(t *testing.T) {
	t.Parallel()
	earlier, later := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	before := Branch{ID: "b", Name: "n", ParentID: "p", ParentLSN: "0/1", CurrentState: "ready", LastResetAt: &earlier}
	for name, test := range map[string]struct {
		change func(*Branch)
		want   bool
	}{
		"nothing":           {func(*Branch) {}, false},
		"another name":      {func(b *Branch) { b.Name, b.CurrentState = "m", "archived" }, false},
		"it is being reset": {func(b *Branch) { b.CurrentState = "resetting" }, true},
		"it was reset":      {func(b *Branch) { b.LastResetAt = &later }, true},
		"another parent":    {func(b *Branch) { b.ParentID = "q" }, true},
		"another moment":    {func(b *Branch) { b.ParentLSN = "0/2" }, true},
	} {
		now := before
		test.change(&now)
		equal(t, name, before.wasRestored(&now), test.want)
	}
	again := before
	again.CurrentState = "resetting"
	equal(t, "it was being reset already", again.wasRestored(&again), false)
}

// A restored snapshot that replaced its target has the target's name, whatever was asked for.
func TestALostRestoreThatReplaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := writing{before: `{}`, after: `{"branches":[{"id":"r","name":"main","restored_from":"x","restored_as":"b"}]}`}
		platform := &world{writing: w, accident: accident{takes: true, status: 504, body: `{}`}}
		restored, err := newClient(t, platform).RestoreSnapshot(t.Context(), SnapshotRef{"p", "x"},
			SnapshotRestore{TargetBranchID: "b", Name: "n", Finalize: true})
		if err != nil || restored.Object.ID != "r" {
			t.Errorf("got %v, %v", restored, err)
		}
	})
}

// A restart shows in the start of the endpoint's own compute alone.
func TestALostRestartOfAnother(t *testing.T) {
	for operation, isIts := range map[string]bool{
		`{"id":"o","endpoint_id":"x","action":"start_compute","status":"running"}`:   true,
		`{"id":"o","endpoint_id":"y","action":"start_compute","status":"running"}`:   false,
		`{"id":"o","endpoint_id":"x","action":"suspend_compute","status":"running"}`: false,
	} {
		synctest.Test(t, func(t *testing.T) {
			w := writing{before: `{"endpoint":{"id":"x"}}`, after: `{"endpoint":{"id":"x"},"operations":[` + operation + `]}`}
			platform := &world{writing: w, accident: accident{takes: true, status: 504, body: `{}`}, state: w.before}
			if _, err := newClient(t, platform).RestartEndpoint(t.Context(), EndpointRef{"p", "x"}); (err == nil) != isIts ||
				IsLost(err) == isIts {
				t.Errorf("%s: got %v", operation, err)
			}
		})
	}
}

// A lost snapshot of a moment is the one of that second: Neon keeps no parts of it.
func TestALostSnapshotOfAMoment(t *testing.T) {
	asked := time.Date(2026, 1, 1, 10, 0, 0, 500_000_000, time.UTC)
	for moment, isIts := range map[string]bool{"2026-01-01T10:00:00Z": true, "2026-01-01T10:00:01Z": false} {
		synctest.Test(t, func(t *testing.T) {
			w := writing{before: `{"snapshots":[]}`, after: strings.ReplaceAll(
				`{"snapshots":[{"id":"x","name":"n","manual":true,"timestamp":"AT"}]}`, "AT", moment)}
			platform := &world{writing: w, accident: accident{takes: true, status: 504, body: `{}`}, state: w.before}
			if _, err := newClient(t, platform).CreateSnapshot(t.Context(), aBranch,
				SnapshotCreate{Name: "n", Timestamp: &asked}); (err == nil) != isIts || IsLost(err) == isIts {
				t.Errorf("%s: got %v", moment, err)
			}
		})
	}
}
