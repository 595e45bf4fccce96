package emulator

import (
	"testing"
	"time"
)

// A compute that a login wakes while its branch is being restored starts once that is over, and so do those of an
// earlier run.
func TestWake_whileRestoring(t *testing.T) {
	t.Parallel()
	p := start(t, Config{Readings: plainCreation})
	made := p.must("POST", "{p}/branches", `{"endpoints":[{"type":"read_write"}]}`)
	branchID, endpointID := made.str("branch", "id"), made.str("endpoints", 0, "id")
	p.clock.advance(time.Minute)
	p.must("POST", "{p}/endpoints/"+endpointID+"/suspend", "")
	p.clock.advance(time.Minute)

	wake := func() *operation {
		return p.e.wake(p.e.world.Projects[p.project], p.e.world.Projects[p.project].Endpoints[endpointID], p.e.now())
	}
	p.e.mu.Lock()
	project := p.e.world.Projects[p.project]
	restoring := p.e.schedule(project, p.e.now(), work{branchID, "", "create_branch"})
	restoring[0].Held = heldWorking
	woken := wake()
	again := wake()
	p.e.mu.Unlock()
	if woken == nil || again != woken {
		t.Errorf("two logins schedule %v and %v", woken, again)
	}
	p.clock.advance(time.Hour)
	p.want("{p}/endpoints/"+endpointID, "idle", "endpoint", "current_state")
	p.e.release(project, restoring, nil)
	p.want("{p}/operations/"+woken.ID, "running", "operation", "status")
	p.clock.advance(time.Second)
	p.want("{p}/operations/"+woken.ID, "finished", "operation", "status")
	p.want("{p}/endpoints/"+endpointID, "active", "endpoint", "current_state")
}
