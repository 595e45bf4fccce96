package emulator

import (
	"net/http"
	"time"
)

// operation is asynchronous work. Its status follows from the world's time.
type operation struct {
	id, projectID, branchID, endpointID, action string
	created, starts, ends                       time.Time
	ending                                      *ending
	duration                                    time.Duration
}

// ending is how the next operations of an action end.
type ending struct {
	Action string `json:"action"`
	Status string `json:"status"`
	Error  string `json:"error"`
	Count  int    `json:"count"`
	Then   string `json:"then"`
	After  string `json:"after"`
}

func (o *operation) status(now time.Time) string {
	switch {
	case now.Before(o.starts):
		return "scheduling"
	case now.Before(o.ends):
		return "running"
	case o.ending == nil:
		return "finished"
	}
	if o.ending.Then != "" {
		after, err := time.ParseDuration(o.ending.After)
		if err == nil && !now.Before(o.ends.Add(after)) {
			return o.ending.Then
		}
	}
	return o.ending.Status
}

func (o *operation) busy(now time.Time) bool {
	switch o.status(now) {
	case "scheduling", "running", "cancelling":
		return true
	}
	return false
}

func (o *operation) view(now time.Time) map[string]any {
	status := o.status(now)
	updated := o.created
	if !now.Before(o.starts) {
		updated = o.starts
	}
	if !now.Before(o.ends) {
		updated = o.ends
	}
	view := map[string]any{
		"id": o.id, "project_id": o.projectID, "action": o.action, "status": status, "failures_count": 0,
		"created_at": second(o.created), "updated_at": second(updated), "total_duration_ms": 0,
	}
	if o.branchID != "" {
		view["branch_id"] = o.branchID
	}
	if o.endpointID != "" {
		view["endpoint_id"] = o.endpointID
	}
	if !now.Before(o.ends) {
		view["total_duration_ms"] = o.duration.Milliseconds()
		if o.ending != nil {
			view["failures_count"] = 1
			if o.ending.Error != "" {
				view["error"] = o.ending.Error
			}
		}
	}
	return view
}

type step struct{ action, branchID, endpointID string }

// schedule lets the steps run one after the other.
func (e *Emulator) schedule(p *project, steps ...step) []any {
	now := e.now()
	views := []any{}
	starts := now
	for _, s := range steps {
		o := &operation{
			id: newUUID(), projectID: p.ID, branchID: s.branchID, endpointID: s.endpointID, action: s.action,
			created: now, starts: starts, ends: starts.Add(e.config.OperationDuration), duration: e.config.OperationDuration,
		}
		for _, ending := range e.endings {
			if ending.Action == s.action && ending.Count > 0 {
				ending.Count--
				o.ending = ending
				break
			}
		}
		starts = o.ends
		p.operations = append(p.operations, o)
		views = append(views, o.view(now))
	}
	return views
}

// locked refuses work that overlaps with other work.
func (e *Emulator) locked(p *project, branchID string) *failure {
	now := e.now()
	for i := len(p.operations) - 1; i >= 0; i-- {
		o := p.operations[i]
		if !o.busy(now) {
			continue
		}
		system := o.action == "check_availability"
		if e.config.Conflicts == "project" || system || e.config.Conflicts == "branch" && o.branchID == branchID {
			return fail(http.StatusLocked, "project already has running conflicting operations, scheduling of new ones is prohibited")
		}
	}
	return nil
}
