package emulator

import (
	"cmp"
	"fmt"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var snapshotRestoreRoutes = []route{
	{"POST " + snapshotPath + "/restore", forProject,
		bodyOptional(aboutWithBody((*Emulator).snapshot, (*Emulator).restoreSnapshot))},
	{"POST " + branchPath + "/finalize_restore", forProject, bodyOptional(withBody((*Emulator).finalizeRestore))},
}

// Statuses of a branch that was restored from a snapshot.
const (
	restored  = "restored"
	finalized = "finalized"
)

// restoreSnapshot gives a new root branch what the snapshot holds, which replaces the target at once if that is asked.
func (e *Emulator) restoreSnapshot(c *call, s *snapshot, body struct {
	Name     string `json:"name"`
	TargetID string `json:"target_branch_id" fits:"id"`
	Finalize bool   `json:"finalize_restore"`
}) (reply, error) {
	target := c.project.Branches[cmp.Or(body.TargetID, s.SourceID)]
	if target == nil {
		return reply{}, wire.NotFound("target branch not found")
	}
	if c.project.hasBranchNamed(body.Name) {
		return reply{}, errBranchExists(body.Name)
	}
	if err := cmp.Or(e.planOfProject(c.project).checkNewBranch(c.project, true, false),
		e.checkFree(c.project, c.now, target.ID)); err != nil {
		return reply{}, err
	}
	b := newBranch(c.project, cmp.Or(body.Name, fmt.Sprintf("%s from %s", target.Name, s.Content.ID)), c.now)
	e.inherit(b, s.Content)
	b.own()
	b.ParentID, b.ParentLSN, b.CreatedBy = "", s.LSN, c.key.UserID
	b.Restored = restoration{s.Content.ID, target.ID, restored}
	var wanted []work
	if s.HiddenID != "" {
		wanted = append(wanted, work{s.HiddenID, "", "timeline_unarchive"})
	}
	creation := len(wanted)
	wanted = append(wanted, work{b.ID, "", "create_branch"})
	switch {
	case body.Finalize:
		wanted = append(wanted, e.replace(c, target, b, "")...)
	case e.plays(doubts.UnfinishedRestore, "compute") && e.mayRunMore(c.project, b, c.now):
		preview := e.addEndpoint(c.project, b, endpointSpec{Type: readWrite}, c.now)
		preview.States = states{{At: c.now, State: "init"}}
		wanted = append(wanted, work{b.ID, preview.ID, startCompute})
	}
	operations := e.schedule(c.project, c.now, wanted...)
	e.hold(c, operations[creation:], databaseWork{Copies: []data.Copy{copyOf(b, s.Content)}})
	c.project.lead(operations, c.now)
	return ok(map[string]any{
		"branch": c.project.branchView(b, c.now, e), "endpoints": e.endpointViews(c.project, b.ID, c.now),
		"operations": operationViews(operations, c.now),
	})
}

func (e *Emulator) finalizeRestore(c *call, body struct {
	Name string `json:"name"`
}) (reply, error) {
	b := c.branch
	target := c.project.Branches[b.Restored.As]
	switch {
	case b.Restored.Status != restored || target == nil:
		return reply{}, e.doubtful(doubts.SnapshotOfChild, wire.Unprocessable("branch has no restore to finalize"))
	case c.project.hasBranchNamed(body.Name):
		return reply{}, errBranchExists(body.Name)
	}
	if err := e.checkFree(c.project, c.now, b.ID, target.ID); err != nil {
		return reply{}, err
	}
	operations := e.schedule(c.project, c.now, e.replace(c, target, b, body.Name)...)
	return ok(map[string]any{"operations": operationViews(operations, c.now)})
}

// replace puts a restored branch in the place of another, which goes on under an old name
// without computes, and returns the work that this takes.
func (e *Emulator) replace(c *call, target, b *branch, oldName string) []work {
	p, now, name := c.project, c.now, target.Name
	p.touched = append(p.touched, target.ID)
	for i := 1; oldName == ""; i++ {
		candidate := name + " (old)"
		if i > 1 {
			candidate = fmt.Sprintf("%s (old %d)", name, i)
		}
		if !p.hasBranchNamed(candidate) {
			oldName = candidate
		}
	}
	target.Name, b.Name = oldName, name
	b.Protected, target.Protected = target.Protected, false
	if e.plays(doubts.ReplacedBranch, "gives-schedule") {
		b.Schedule, target.Schedule = target.Schedule, nil
	}
	if p.DefaultBranchID == target.ID {
		p.DefaultBranchID = b.ID
	}
	b.Restored.Status, b.UpdatedAt, target.UpdatedAt = finalized, now, now
	var wanted []work
	// A branch has one read-write compute, and the target's keeps its address.
	if own := p.readWriteEndpoint(b.ID); own != nil && p.readWriteEndpoint(target.ID) != nil {
		wanted = append(wanted, work{b.ID, own.ID, suspendCompute})
		delete(p.Endpoints, own.ID)
		p.touched = append(p.touched, own.ID)
	}
	for _, endpoint := range p.endpointsOf(target.ID) {
		endpoint.BranchID = b.ID
		p.touched = append(p.touched, endpoint.ID)
		if endpoint.runs(now) {
			wanted = append(wanted, work{b.ID, endpoint.ID, suspendCompute})
			endpoint.States = states{{At: now, State: "idle"}}
		}
	}
	return wanted
}
