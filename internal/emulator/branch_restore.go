package emulator

import (
	"cmp"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var branchRestoreRoutes = []route{
	{"POST " + branchPath + "/restore", forProject, withBody((*Emulator).restoreBranch)},
}

type branchRestoreBody struct {
	SourceID  string     `json:"source_branch_id" fits:"required,id"`
	LSN       string     `json:"source_lsn" fits:"lsn"`
	Timestamp *time.Time `json:"source_timestamp"`
	Preserved string     `json:"preserve_under_name" fits:"..256"`
}

// restoreBranch lets what the branch was go on as another branch where that is asked for, which takes its children and
// becomes its parent.
func (e *Emulator) restoreBranch(c *call, body branchRestoreBody) (reply, error) {
	b := c.branch
	source, err := e.restoreSource(c, b, body)
	if err != nil {
		return reply{}, err
	}
	before, isRoot := *b, b.ParentID == ""
	if source == b {
		source = &before
	}
	var backup *branch
	if body.Preserved != "" {
		backup = e.preserve(c, b, body.Preserved)
		backup.BacksUpRoot = isRoot && body.SourceID != b.ID
	}
	e.takeOver(b, source)
	body.setOrigin(b, source, backup, c.now)
	if isRoot && backup != nil && e.plays(doubts.RestoredParent, "separate-root") {
		b.ParentID, b.ParentLSN, b.ParentTimestamp, b.ParentChangedAt = "", "", time.Time{}, time.Time{}
	}
	b.States = states{{At: c.now, State: "resetting"}}
	operations, restoring := e.scheduleRestore(c, b)
	if backup != nil && e.plays(doubts.BackupAppears, "late") {
		backup.AppearsAt = operations[len(operations)-1].EndsAt
	}
	var copies []data.Copy
	if backup != nil {
		copies = append(copies, copyOf(backup, &before))
	}
	restored := copyOf(b, source)
	restored.Resets = c.now
	e.hold(c, operations[restoring:], databaseWork{Copies: append(copies, restored)})
	c.project.lead(operations, c.now)
	return ok(map[string]any{"branch": c.project.branchView(b, c.now, e), "operations": operationViews(operations, c.now)})
}

// restoreSource returns what a branch is restored from, or says why it can't be restored now.
func (e *Emulator) restoreSource(c *call, b *branch, body branchRestoreBody) (*branch, error) {
	source, err := body.check(c.project, b, c.now)
	if err = cmp.Or(e.restrict(b, "restore"), err); err == nil {
		err = e.checkPast(source, body.LSN, body.Timestamp)
	}
	switch {
	case err != nil:
		return nil, err
	case e.plays(doubts.RestoreAfterSnapshot, "refused") &&
		(source == b && b.Restored.From != "" || source != b && source.ID == b.ParentID && source.wasRestored(c.now)):
		return nil, wire.Unprocessable("restore from snapshot on target branch is still ongoing; branch_id:%q", source.ID)
	case source == b && b.ParentID != "" && e.plays(doubts.RestoreChildToPast, "refused"):
		return nil, wire.Unprocessable("only root branches can be restored to their own past; branch_id:%q", b.ID)
	}
	if err := cmp.Or(e.checkFree(c.project, c.now, b.ID, source.ID), b.checkReady(c.now),
		source.checkReady(c.now)); err != nil || body.Preserved == "" {
		return source, err
	}
	return source, e.planOfProject(c.project).checkNewBranch(c.project, false, false)
}

// check returns the source, or says why the branch can't be restored from it.
func (body branchRestoreBody) check(p *project, b *branch, now time.Time) (*branch, error) {
	source := p.Branches[body.SourceID]
	past := body.LSN != "" || body.Timestamp != nil
	switch {
	case source == nil:
		return nil, wire.NotFound("source branch not found")
	case source == b && !past:
		return nil, wire.BadRequest("source_lsn or source_timestamp is required to restore a branch from itself")
	case b.Protected:
		return nil, wire.Unprocessable("cannot restore protected branch")
	case source != b && !source.ExpiresAt.IsZero():
		return nil, wire.Unprocessable("cannot restore a branch from a branch that expires")
	case body.Preserved == "" && p.hasChildren(b):
		return nil, wire.Unprocessable("Branch has children, preserve_under_name is required")
	case body.Preserved == "" && source == b:
		return nil, wire.Unprocessable("preserve_under_name is required to restore a branch from itself")
	case p.hasBranchNamed(body.Preserved):
		return nil, errBranchExists(body.Preserved)
	}
	return source, p.checkMoment("source_", body.LSN, body.Timestamp, now)
}

// wasRestored reports whether a branch was restored within the last day, from a snapshot or otherwise.
func (b *branch) wasRestored(now time.Time) bool {
	const patience = 24 * time.Hour
	return now.Sub(b.LastResetAt) < patience || b.Restored.Status == finalized && now.Sub(b.CreatedAt) < patience
}

// preserve lets what the branch is go on as a new branch in its place.
func (e *Emulator) preserve(c *call, b *branch, name string) *branch {
	backup := newBranch(c.project, name, c.now)
	e.inherit(backup, b)
	backup.ParentID, backup.ParentLSN, backup.ParentTimestamp, backup.ParentChangedAt = b.ParentID, b.ParentLSN,
		b.ParentTimestamp, b.ParentChangedAt
	backup.InitSource, backup.CreatedBy = b.InitSource, c.key.UserID
	backup.States = states{{At: c.now, State: "ready"}}
	for _, child := range c.project.Branches {
		if child.ParentID == b.ID {
			child.ParentID = backup.ID
			c.project.touched = append(c.project.touched, child.ID)
		}
	}
	return backup
}

// takeOver gives a branch the roles and databases of another. It keeps the passwords and
// ids of those that it has already.
func (e *Emulator) takeOver(b, source *branch) {
	had := *b
	parentID := b.ParentID
	b.DataAPIs = nil
	e.inherit(b, source)
	b.ParentID, b.DataAPIs = parentID, had.DataAPIs
	if e.plays(doubts.DataAPIAfterRestore, "gone") {
		b.DataAPIs = nil
	}
	if e.plays(doubts.AuthAfterRestore, "kept") {
		b.Auth, b.HasAuthSchema, b.LeftUsers = had.Auth, had.HasAuthSchema, had.LeftUsers
	}
	if source.ID != parentID { // A reset alone takes the objects of the parent.
		b.Buckets = had.Buckets
	}
	b.Functions, b.Triggers = had.Functions, had.Triggers
	for _, r := range b.Roles {
		if own := had.role(r.Name); own != nil {
			r.passwords = own.passwords
		}
	}
	for _, d := range b.Databases {
		if own := had.database(d.Name); own != nil {
			d.ID = own.ID
		}
	}
}

// setOrigin says where the branch begins now, and begins its life anew.
func (body branchRestoreBody) setOrigin(b, source, backup *branch, now time.Time) {
	b.ParentID = body.SourceID
	if backup != nil {
		b.ParentID = backup.ID
	}
	b.begin(source, body.LSN, body.Timestamp, now)
	b.LastResetAt, b.UpdatedAt = now, now
	if b.Life > 0 {
		b.ExpiresAt = now.Add(b.Life)
	}
}

// scheduleRestore schedules the restoring, and the end of what the branch's computes do. It
// returns the operation's place among the others that restores.
func (e *Emulator) scheduleRestore(c *call, b *branch) (operations []*operation, restoring int) {
	running := slices.DeleteFunc(c.project.endpointsOf(b.ID),
		func(endpoint *endpoint) bool { return !endpoint.runs(c.now) })
	if e.plays(doubts.RestoreOperations, "restart") {
		wanted := []work{{b.ID, "", "create_branch"}}
		for _, endpoint := range running {
			wanted = append(wanted, work{b.ID, endpoint.ID, suspendCompute}, work{b.ID, endpoint.ID, startCompute})
		}
		return e.schedule(c.project, c.now, wanted...), 0
	}
	wanted := append(onEach(running, suspendCompute), work{b.ID, "", "create_branch"},
		work{b.ID, "", "delete_timeline"})
	return e.schedule(c.project, c.now, wanted...), len(running)
}
