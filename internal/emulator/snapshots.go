package emulator

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/data"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var snapshotRoutes = []route{
	{"POST " + branchPath + "/snapshot", forProject, (*Emulator).createSnapshot},
	{"GET " + projectPath + "/snapshots", forProject, tells("snapshots", (*Emulator).snapshotViews)},
	{"PATCH " + snapshotPath, forProject, aboutWithBody((*Emulator).snapshot, (*Emulator).updateSnapshot)},
	{"DELETE " + snapshotPath, forProject, about((*Emulator).snapshot, (*Emulator).deleteSnapshot)},
}

const (
	// sizeAppears is how long after its creation a snapshot's size is known.
	sizeAppears = time.Minute
	emptySize   = 32 * mebibyte
)

// slugPattern is the form of a snapshot's slug.
var slugPattern = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$`)

func (e *Emulator) snapshotView(s *snapshot, now time.Time) object {
	view := unlessEmpty(object{
		"id": s.Content.ID, "name": s.Name, "slug": s.Slug, "lsn": s.LSN, "timestamp": wire.OptionalSeconds(s.Timestamp),
		"source_branch_id": s.SourceID,
		"created_at":       wire.Seconds(s.CreatedAt), "expires_at": wire.OptionalSeconds(s.ExpiresAt), "manual": true,
	}, "slug", "lsn", "timestamp", "source_branch_id", "expires_at")
	if e.plays(doubts.SnapshotSize, "at-once") ||
		now.Sub(s.CreatedAt) >= sizeAppears && !e.plays(doubts.SnapshotSize, "never") {
		view["full_size"] = emptySize
	}
	return view
}

// snapshotViews are those of a project, newest first.
func (e *Emulator) snapshotViews(c *call) []object {
	views := viewsOf(c.project.Snapshots, func(s *snapshot) object { return e.snapshotView(s, c.now) })
	slices.Reverse(views)
	return views
}

// createSnapshot has its parameters in the query.
func (e *Emulator) createSnapshot(c *call) (reply, error) {
	b := c.branch
	s, err := e.snapshotDraft(c)
	if err != nil {
		return reply{}, err
	}
	of := e.planOfProject(c.project)
	err = cmp.Or(e.checkPast(b, c.query("lsn"), &s.Timestamp),
		e.checkRoot(b, "snapshots can only be taken of root branches"),
		of.checkAnother("snapshots", len(c.project.Snapshots), of.snapshots))
	if err == nil && slices.ContainsFunc(c.project.Snapshots, func(other *snapshot) bool { return other.Slug == s.Slug }) {
		err = wire.Conflict("snapshot slug already exists; slug:%q", s.Slug)
	}
	if err := cmp.Or(err, e.isFree(c), b.checkReady(c.now)); err != nil {
		return reply{}, err
	}
	s.SourceID, s.Content = b.ID, &branch{ID: wire.NewSnapshotID()}
	unprotected := *b // A restored branch has the passwords of the one that it replaces.
	unprotected.Protected = false
	e.inherit(s.Content, &unprotected)
	e.world.expiresAt(s.ExpiresAt)
	s.Name = cmp.Or(s.Name, b.Name+" at "+wire.Seconds(c.now))
	c.project.Snapshots = append(c.project.Snapshots, s)
	wanted := []work{{b.ID, "", "create_timeline"}}
	if e.plays(doubts.SnapshotOperations, "hidden-branch") {
		s.HiddenID = wire.NewBranchID()
		wanted = []work{{s.HiddenID, "", "create_branch"}, {s.HiddenID, "", "timeline_archive"}}
	}
	operations := e.schedule(c.project, c.now, wanted...)
	for _, o := range operations {
		o.SourceID = b.ID
	}
	e.hold(c, operations, databaseWork{Copies: []data.Copy{copyOf(s.Content, b)}})
	return ok(map[string]any{"snapshot": e.snapshotView(s, c.now), "operations": operationViews(operations, c.now)})
}

// checkRoot refuses a branch that has a parent.
func (e *Emulator) checkRoot(b *branch, refusal string) error {
	if b.ParentID != "" {
		return e.doubtful(doubts.SnapshotOfChild, wire.Unprocessable("%s; branch_id:%q", refusal, b.ID))
	}
	return nil
}

func (e *Emulator) snapshotDraft(c *call) (*snapshot, error) {
	s := &snapshot{CreatedAt: c.now, Name: c.query("name")}
	s.Slug = cmp.Or(c.queryMatching("slug", slugPattern), wire.Words(wire.Tail(wire.LowerAlphanumeric)))
	s.LSN = c.queryMatching("lsn", wire.LSNPattern)
	s.Timestamp, s.ExpiresAt = c.queryTime("timestamp"), c.queryTime("expires_at")
	switch {
	case c.queryRefusal != nil:
		return nil, c.queryRefusal
	case !s.ExpiresAt.IsZero() && !s.ExpiresAt.After(c.now):
		return nil, e.doubtful(doubts.SnapshotRange, wire.BadRequest("expires_at must be in the future"))
	}
	err := e.doubtful(doubts.SnapshotRange, c.project.checkMoment("", s.LSN, &s.Timestamp, c.now))
	s.LSN = cmp.Or(s.LSN, fakeLSN(c.now))
	return s, err
}

func (e *Emulator) snapshot(c *call) (*snapshot, error) {
	return named(c, c.project.Snapshots, "snapshot_id",
		func(s *snapshot) string { return s.Content.ID }, "snapshot not found")
}

func (e *Emulator) updateSnapshot(c *call, s *snapshot, body struct {
	Snapshot struct {
		Name      *string `json:"name" fits:"1.."`
		ExpiresAt expiry  `json:"expires_at" fits:"time,null"`
	} `json:"snapshot" fits:"required"`
}) (reply, error) {
	if expires := body.Snapshot.ExpiresAt; expires.given {
		if !expires.at.IsZero() && !expires.at.After(c.now) {
			return reply{}, wire.BadRequest("expires_at must be in the future")
		}
		s.ExpiresAt = expires.at.Truncate(time.Second)
	}
	set(&s.Name, body.Snapshot.Name)
	e.world.expiresAt(s.ExpiresAt)
	return ok(map[string]any{"snapshot": e.snapshotView(s, c.now)})
}

func (e *Emulator) deleteSnapshot(c *call, s *snapshot) (reply, error) {
	if err := e.checkFree(c.project, c.now, s.SourceID); err != nil {
		return reply{}, err
	}
	c.project.forgetSnapshots(func(other *snapshot) bool { return other == s })
	operations := e.schedule(c.project, c.now, work{cmp.Or(s.HiddenID, s.SourceID), "", "delete_timeline"})
	return reply{http.StatusAccepted, map[string]any{"operations": operationViews(operations, c.now)}}, nil
}

var shownSnapshots = shown{
	list: "snapshots", heading: "Snapshots",
	ofProject: func(_ *Emulator, p *project, _ time.Time) []object {
		return objectsOf(p.Snapshots, func(s *snapshot) object {
			return object{"id": s.Content.ID, "name": s.Name, "branch_id": s.SourceID,
				"expires_at": wire.OptionalSeconds(s.ExpiresAt)}
		})
	},
	items: func(p *project, b *branch, _ time.Time) []page.Item {
		taken := slices.DeleteFunc(slices.Clone(p.Snapshots), func(s *snapshot) bool { return s.SourceID != b.ID })
		return viewsOf(taken, func(s *snapshot) page.Item { return page.Item{Name: s.Name, Detail: s.Content.ID} })
	},
}
