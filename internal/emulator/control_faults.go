package emulator

import (
	"cmp"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

func (e *Emulator) addFault(_ *call, f control.Fault) (reply, error) {
	if err := e.faults.Add(&f, faultRoutes()); err != nil {
		return reply{}, err
	}
	return created(f)
}

func (e *Emulator) forgetFaults(*call) (reply, error) {
	e.faults.Forget()
	return alreadyGone()
}

func (e *Emulator) forgetFault(c *call) (reply, error) {
	if !e.faults.ForgetOne(c.PathValue("fault_id")) {
		return reply{}, wire.NotFound("there is no fault %q", c.PathValue("fault_id"))
	}
	return alreadyGone()
}

// operationStatus is one of an operation's statuses in a body.
type operationStatus string

// Rule lets no others be.
func (operationStatus) Rule() string {
	return "=" + strings.Join([]string{
		scheduling, running, finished, failed, "error", cancelling, cancelled, skipped,
	}, "|")
}

type endingSpec struct {
	Action string          `json:"action" fits:"required,=anonymize|apply_config|check_availability|create_branch|create_timeline|delete_timeline|start_compute|suspend_compute|timeline_archive|timeline_unarchive|timeline_update_protected_config" says:"the action of the operations, such as create_branch or start_compute"`
	Status operationStatus `json:"status" fits:"required" says:"the status that they end with, such as failed or cancelled; with scheduling, running or cancelling they never end"`
	Error  string          `json:"error" says:"the error message of these operations"`
	Count  int             `json:"count" fits:"0.." says:"how many operations; 1 by default"`
	Then   operationStatus `json:"then" fits:"empty" says:"the status that follows, as if Neon had tried again"`
	After  string          `json:"after" fits:"duration,empty" says:"how long after the end then follows, a duration such as 1s"`
}

// setEnding says how the next operations of an action end.
func (e *Emulator) setEnding(_ *call, body endingSpec) (reply, error) {
	after, _ := time.ParseDuration(body.After) // It was checked, and is zero for none.
	e.endings = append(e.endings, &ending{
		action: body.Action, status: string(body.Status), message: body.Error, count: cmp.Or(body.Count, 1),
		then: string(body.Then), after: after,
	})
	return ok(map[string]any{})
}

type unavailableSpec struct {
	IDs []string `json:"ids" fits:"null" says:"the projects"`
}

// setUnavailable makes lists of projects leave some out, and say so.
func (e *Emulator) setUnavailable(_ *call, body unavailableSpec) (reply, error) {
	for _, id := range body.IDs {
		if e.world.Projects[id] == nil {
			return reply{}, errNoProject(id)
		}
	}
	e.unavailable = body.IDs
	return ok(map[string]any{})
}

type claimSpec struct {
	Status string `json:"status" fits:"=CLAIMED|CLAIMING,empty" says:"CLAIMED (the default), or CLAIMING to leave it on the way there"`
}

// claimDirectly does what the claim page's button does.
func (e *Emulator) claimDirectly(c *call, body claimSpec) (reply, error) {
	status := cmp.Or(body.Status, claimed)
	if r := e.world.Registrations[c.PathValue("id")]; r != nil {
		if r.status() != claimed {
			if e.world.Projects[r.ProjectID] == nil {
				return reply{}, wire.NotFound(claimableMissing)
			}
			e.claimAnonymously(r, status, c.now)
		}
		return ok(map[string]any{"id": r.ID, "status": r.status()})
	}
	taken, err := e.claimNow(c, c.PathValue("id"), status)
	if err != nil {
		return reply{}, err
	}
	return ok(e.claimableView(taken, c.Request))
}
