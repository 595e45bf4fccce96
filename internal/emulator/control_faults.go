package emulator

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

func (e *Emulator) showFaults(*call) (reply, error) {
	return ok(map[string]any{"faults": e.faults.List()})
}

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

type endingSpec struct {
	Action string `json:"action" says:"the action of the operations, such as create_branch or start_compute"`
	Status string `json:"status" says:"the status that they end with, such as failed or cancelled"`
	Error  string `json:"error" says:"the error message of these operations"`
	Count  int    `json:"count" says:"how many operations; 1 by default"`
	Then   string `json:"then" says:"the status that follows, as if Neon had tried again"`
	After  string `json:"after" says:"how long after the end then follows, a duration such as 1s"`
}

// operationActions are those of the operations that the emulator schedules.
var operationActions = []string{
	"anonymize", "apply_config", "check_availability", "create_branch", "create_timeline", "delete_timeline",
	"start_compute", "suspend_compute",
	"timeline_archive", "timeline_unarchive", protectedConfig,
}

var operationStatuses = []string{scheduling, running, finished, failed, "error", cancelling, cancelled, skipped}

// setEnding says how the next operations of an action end.
func (e *Emulator) setEnding(_ *call, body endingSpec) (reply, error) {
	after := time.Duration(0)
	if body.After != "" {
		var err error
		if after, err = time.ParseDuration(body.After); err != nil || after < 0 {
			return reply{}, wire.BadRequest("after is %q; it must be a duration such as 1s", body.After)
		}
	}
	known := strings.Join(operationStatuses, ", ")
	switch {
	case !slices.Contains(operationActions, body.Action):
		return reply{}, wire.BadRequest("action is %q; it must be one of %s", body.Action,
			strings.Join(operationActions, ", "))
	case !slices.Contains(operationStatuses, body.Status):
		return reply{}, wire.BadRequest("status is %q; it must be one of %s", body.Status, known)
	case body.Then != "" && !slices.Contains(operationStatuses, body.Then):
		return reply{}, wire.BadRequest("then is %q; it must be one of %s", body.Then, known)
	case body.Count < 0:
		return reply{}, wire.BadRequest("count is %d; it must not be negative", body.Count)
	}
	e.endings = append(e.endings, &ending{
		action: body.Action, status: body.Status, message: body.Error, count: cmp.Or(body.Count, 1), then: body.Then,
		after: after,
	})
	return ok(map[string]any{})
}

type unavailableSpec struct {
	IDs []string `json:"ids" says:"the projects"`
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
	Status string `json:"status" says:"CLAIMED (the default), or CLAIMING to leave it on the way there"`
}

// claimDirectly does what the claim page's button does.
func (e *Emulator) claimDirectly(c *call) (reply, error) {
	asked := claimSpec{claimed}
	if len(c.body) > 0 {
		if err := control.Decode(c.body, &asked); err != nil {
			return reply{}, err
		}
	}
	if asked.Status != claimed && asked.Status != claiming {
		return reply{}, wire.BadRequest("status is %q; it must be CLAIMING or CLAIMED", asked.Status)
	}
	if r := e.world.Registrations[c.PathValue("id")]; r != nil {
		e.claimAnonymously(r, asked.Status, c.now)
		return ok(map[string]any{"id": r.ID, "status": r.status(c.now)})
	}
	taken, err := e.claimNow(c, c.PathValue("id"), asked.Status)
	if err != nil {
		return reply{}, err
	}
	return ok(e.claimableView(taken, c.Request))
}
