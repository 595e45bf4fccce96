package emulator

import (
	"testing"
	"time"
)

// What was scheduled behind work on databases, such as the start of a compute by a login, goes on once that work is done.
func TestRelease_whatWaits(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	e := p.e
	made := p.must("POST", "{p}/branches", `{"endpoints":[{"type":"read_write"}]}`)
	p.clock.advance(time.Minute)
	project := e.world.Projects[p.project]
	id, endpoint := made.str("branch", "id"), project.Endpoints[made.str("endpoints", 0, "id")]
	e.mu.Lock()
	restored := e.schedule(project, e.now(), work{id, "", "create_branch"})
	restored[0].Held = heldWorking
	endpoint.States = states{{At: e.now(), State: "idle"}}
	started := e.wake(project, endpoint, e.now())
	next := e.schedule(project, e.now(), work{id, endpoint.ID, "apply_config"})[0]
	e.mu.Unlock()
	p.clock.advance(time.Hour)
	if now := e.now(); started.status(now) != scheduling || next.status(now) != scheduling {
		t.Errorf("while the work goes on, what waits is %s and %s", started.status(now), next.status(now))
	}
	e.release(project, restored, nil)
	for _, want := range [][2]string{{running, scheduling}, {finished, running}, {finished, finished}} {
		if now := e.now(); started.status(now) != want[0] || next.status(now) != want[1] {
			t.Errorf("afterwards what waits is %s and %s, want %s", started.status(now), next.status(now), want)
		}
		p.clock.advance(time.Second)
	}
	if !endpoint.runs(e.now()) {
		t.Error("the compute doesn't run")
	}
}
