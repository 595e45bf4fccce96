package emulator

import (
	"errors"
	"slices"
	"testing"
)

// A role that couldn't be removed from the databases is still there, and not only in these.
func TestDeleteRole_failed(t *testing.T) {
	t.Parallel()
	p := start(t, Config{})
	p.must("POST", "{p}/branches/"+p.e.FirstWorld().BranchID+"/roles", `{"role":{"name":"stays"}}`)
	p.clock.advance(1e10)
	id := p.must("DELETE", "{p}/branches/"+p.e.FirstWorld().BranchID+"/roles/stays", "").str("operations", 0, "id")
	p.e.mu.Lock()
	project := p.e.world.Projects[p.project]
	o := project.Operations[slices.IndexFunc(project.Operations, func(o *operation) bool { return o.ID == id })]
	o.Work = &databaseWork{Deleted: []*role{{Name: "stays"}}}
	p.e.mu.Unlock()
	p.e.release(project, []*operation{o}, errors.New("it has objects"))
	p.must("GET", "{p}/branches/"+p.e.FirstWorld().BranchID+"/roles/stays", "")
}
