package emulator

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// transferRequestRoutes: whoever accepts doesn't see the project yet.
var transferRequestRoutes = []route{
	{"POST " + projectPath + "/transfer_requests", forProject, bodyOptional(withBody((*Emulator).createTransferRequest))},
	{"PUT " + projectPath + "/transfer_requests/{request_id}", forProjects,
		bodyOptional(withBody((*Emulator).acceptTransferRequest))},
}

// usualRequestLife is how long a transfer request is good for where nobody says it.
const usualRequestLife = 24 * 60 * 60

func (e *Emulator) createTransferRequest(c *call, body struct {
	Seconds int64 `json:"ttl_seconds" fits:"1..2147483647"`
}) (reply, error) {
	if e.roleIn(c.key, c.project) != admin {
		return reply{}, wire.NotFound("not authorized to create transfer request for this project; project_ids:\"[%s]\"",
			c.project.ID)
	}
	life := time.Duration(cmp.Or(body.Seconds, usualRequestLife)) * time.Second
	made := &transferRequest{ID: wire.NewUUID(), CreatedAt: c.now, ExpiresAt: c.now.Add(life)}
	c.project.TransferRequests = append(c.project.TransferRequests, made)
	e.world.expiresAt(made.ExpiresAt)
	return created(map[string]string{
		"id": e.world.secret(made.ID), "project_id": c.project.ID,
		"created_at": wire.Seconds(made.CreatedAt), "expires_at": wire.Seconds(made.ExpiresAt),
	})
}

func (e *Emulator) acceptTransferRequest(c *call, body struct {
	OrgID string `json:"org_id" fits:"id"`
}) (reply, error) {
	p := e.world.Projects[c.PathValue("project_id")]
	if p == nil {
		return reply{}, wire.NotFound("project not found")
	}
	org, err := e.organization(c, body.OrgID)
	if err != nil {
		return reply{}, err
	}
	return e.accept(p, c.PathValue("request_id"), org, c.now)
}

// accept makes a project the organization's that accepts a request.
func (e *Emulator) accept(p *project, requestID string, org *organization, now time.Time) (reply, error) {
	switch {
	case p.transferRequest(requestID, now) == nil:
		return reply{}, e.doubtful(doubts.TransferRequestGone, wire.NotFound("transfer request not found"))
	case p.Integration != "":
		return reply{}, wire.Unprocessable("the project has the integration %s", p.Integration)
	}
	if reasons := e.insufficient(p, org); org.ID != p.OrgID && reasons != nil {
		return reply{http.StatusNotAcceptable, map[string]any{"reasons": reasons}}, nil
	}
	p.TransferRequests = nil
	e.handOver(p, org, now)
	return reply{status: http.StatusNoContent}, nil
}

// transferRequest is one of a project that can still be accepted, nil for none.
func (p *project) transferRequest(id string, now time.Time) *transferRequest {
	return find(p.TransferRequests, func(r *transferRequest) bool { return r.ID == id && now.Before(r.ExpiresAt) })
}

// insufficient are the reasons why the plan of an organization doesn't suffice for a project that it doesn't have yet.
func (e *Emulator) insufficient(p *project, org *organization) (reasons []map[string]string) {
	limits := e.unsatisfied(e.world.Orgs[p.OrgID], org, 1)
	if of := e.planOf(org); !of.lenient && len(p.Branches) > of.branches {
		limits = append(limits, unsatisfiedLimit{"branches_count", strconv.Itoa(of.branches), strconv.Itoa(len(p.Branches))})
	}
	for _, limit := range limits {
		if limit.Name != subscriptionType || e.plays(doubts.TransferRequestPlan, "rank") {
			reasons = append(reasons, map[string]string{
				"code": limit.Name, "message": fmt.Sprintf("%s: expected %s, got %s", limit.Name, limit.Expected, limit.Actual),
			})
		}
	}
	return reasons
}

var shownTransferRequests = shown{list: "transfer_requests",
	ofProject: func(_ *Emulator, p *project, _ time.Time) []object {
		return objectsOf(p.TransferRequests, func(r *transferRequest) object {
			return object{"id": r.ID, "expires_at": wire.Seconds(r.ExpiresAt)}
		})
	}}
