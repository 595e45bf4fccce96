package emulator

import (
	"cmp"

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

// setEnding says how the next operations of an action end.
func (e *Emulator) setEnding(_ *call, body ending) (reply, error) {
	body.Count = cmp.Or(body.Count, 1)
	e.endings = append(e.endings, &body)
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
