package emulator

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	vpcRegionPath   = orgPath + "/vpc/region/{region_id}"
	vpcEndpointPath = vpcRegionPath + "/vpc_endpoints/{vpc_endpoint_id}"
)

var vpcEndpointRoutes = []route{
	{"GET " + orgPath + "/vpc/vpc_endpoints", forOrgMembers, tells("endpoints", (*Emulator).vpcEndpointViews)},
	{"GET " + vpcRegionPath + "/vpc_endpoints", forOrgMembers,
		checked(tells("endpoints", (*Emulator).vpcEndpointViews), (*Emulator).checkVPCRegion)},
	{"GET " + vpcEndpointPath, forOrgMembers, about((*Emulator).assigned, (*Emulator).getVPCEndpoint)},
	{"POST " + vpcEndpointPath, forOrgMembers, checked(withBody((*Emulator).assignVPCEndpoint), (*Emulator).administers)},
	{"DELETE " + vpcEndpointPath, forOrgMembers, checked(about((*Emulator).assigned, (*Emulator).removeVPCEndpoint),
		(*Emulator).administers)},
	{"GET " + projectPath + "/vpc_endpoints", forProject,
		checked(tells("endpoints", func(_ *Emulator, c *call) []*vpcRestriction {
			return append([]*vpcRestriction{}, c.project.VPCRestrictions...)
		}), (*Emulator).checkRestrictionKey)},
	{"POST " + projectPath + "/vpc_endpoints/{vpc_endpoint_id}", forProject,
		checked(withBody((*Emulator).restrictToVPCEndpoint), (*Emulator).checkRestrictionKey)},
	{"DELETE " + projectPath + "/vpc_endpoints/{vpc_endpoint_id}", forProject,
		checked(about((*Emulator).restriction, (*Emulator).liftRestriction), (*Emulator).checkRestrictionKey)},
}

// mostVPCEndpoints is how many an organization has at most in a region.
const mostVPCEndpoints = 10

type vpcLabel struct {
	Label string `json:"label" fits:"required"`
}

// vpcEndpoint is the one of the path, whether it was removed or not; nil for none.
func (c *call) vpcEndpoint() *vpcEndpoint {
	return find(c.org.VPCEndpoints, func(v *vpcEndpoint) bool {
		return v.RegionID == c.PathValue("region_id") && v.ID == c.PathValue("vpc_endpoint_id")
	})
}

// assigned is the one of the path, which must be assigned.
func (e *Emulator) assigned(c *call) (*vpcEndpoint, error) {
	if v := c.vpcEndpoint(); v != nil && v.RemovedAt.IsZero() {
		return v, nil
	}
	return nil, wire.NotFound("VPC endpoint not found")
}

// vpcEndpoints are an organization's, in one region or in all.
func (org *organization) vpcEndpoints(regionID string) []*vpcEndpoint {
	var found []*vpcEndpoint
	for _, v := range org.VPCEndpoints {
		if v.RemovedAt.IsZero() && (regionID == "" || v.RegionID == regionID) {
			found = append(found, v)
		}
	}
	return found
}

// vpcEndpointViews name the regions where the path names none.
func (e *Emulator) vpcEndpointViews(c *call) []object {
	region := c.PathValue("region_id")
	return viewsOf(c.org.vpcEndpoints(region), func(v *vpcEndpoint) object {
		view := object{"vpc_endpoint_id": v.ID, "label": v.Label}
		if region == "" {
			view["region_id"] = v.RegionID
		}
		return view
	})
}

// checkVPCRegion refuses regions that have no PrivateLink.
func (e *Emulator) checkVPCRegion(c *call) error {
	if region := c.PathValue("region_id"); !hasRegion(regions, region) || strings.HasPrefix(region, "azure-") {
		return wire.BadRequest("VPC endpoints are not supported in region %q", region)
	}
	return nil
}

// getVPCEndpoint shows a new one accepted after a while, as Neon accepts it by itself.
func (e *Emulator) getVPCEndpoint(c *call, v *vpcEndpoint) (reply, error) {
	state, patience := "new", e.config.OperationDuration
	if e.plays(doubts.VPCAccepted, "later") {
		patience = 24 * time.Hour
	}
	if c.now.After(v.AssignedAt.Add(patience)) {
		state = "accepted"
	}
	restricted := []string{}
	for _, p := range e.world.sortedProjects() {
		if p.OrgID == c.org.ID && p.restrictedTo(v.ID) != nil {
			restricted = append(restricted, p.ID)
		}
	}
	return ok(map[string]any{
		"vpc_endpoint_id": v.ID, "label": v.Label, "state": state,
		"num_restricted_projects": len(restricted), "example_restricted_projects": restricted[:min(3, len(restricted))],
	})
}

func (e *Emulator) assignVPCEndpoint(c *call, body vpcLabel) (reply, error) {
	if err := e.checkVPCRegion(c); err != nil {
		return reply{}, e.doubtful(doubts.VPCRegions, err)
	}
	if !e.planOf(c.org).network {
		return reply{}, e.doubtful(doubts.VPCPlans, wire.Refuse(http.StatusForbidden, "private networking is not allowed "+
			"for your account"))
	}
	switch v := c.vpcEndpoint(); {
	case v == nil && !e.planOf(c.org).lenient && len(c.org.vpcEndpoints(c.PathValue("region_id"))) >= mostVPCEndpoints:
		return reply{}, wire.Unprocessable("VPC endpoints limit exceeded")
	case v == nil:
		c.org.VPCEndpoints = append(c.org.VPCEndpoints, &vpcEndpoint{
			ID: c.PathValue("vpc_endpoint_id"), RegionID: c.PathValue("region_id"), Label: body.Label, AssignedAt: c.now,
		})
	case !v.RemovedAt.IsZero():
		return reply{}, e.doubtful(doubts.VPCRemoved,
			wire.Unprocessable("VPC endpoint was deleted from the organization and cannot be added back"))
	default:
		v.Label = body.Label
	}
	return ok(nil)
}

func (e *Emulator) removeVPCEndpoint(c *call, v *vpcEndpoint) (reply, error) {
	v.RemovedAt = c.now
	return ok(nil)
}

// restrictedTo is a project's restriction to an endpoint, nil for none.
func (p *project) restrictedTo(id string) *vpcRestriction {
	return find(p.VPCRestrictions, func(r *vpcRestriction) bool { return r.ID == id })
}

func (e *Emulator) restriction(c *call) (*vpcRestriction, error) {
	return named(c, c.project.VPCRestrictions, "vpc_endpoint_id", func(r *vpcRestriction) string { return r.ID },
		"VPC endpoint restriction not found")
}

// checkRestrictionKey refuses keys for one project what is about its networks.
func (e *Emulator) checkRestrictionKey(c *call) error {
	if c.key.Kind != projectKey || e.plays(doubts.VPCProjectKeys, "taken") {
		return nil
	}
	return e.doubtful(doubts.VPCProjectKeys, wire.Refuse(http.StatusForbidden, "not allowed for project-scoped API keys"))
}

func (e *Emulator) restrictToVPCEndpoint(c *call, body vpcLabel) (reply, error) {
	restriction := &vpcRestriction{c.PathValue("vpc_endpoint_id"), body.Label}
	if known := c.project.restrictedTo(restriction.ID); known != nil {
		known.Label = body.Label
		return ok(nil)
	}
	of := e.world.Orgs[c.project.OrgID].vpcEndpoints(c.project.RegionID)
	if !slices.ContainsFunc(of, func(v *vpcEndpoint) bool { return v.ID == restriction.ID }) {
		return reply{}, e.doubtful(doubts.VPCRestrictionRefused,
			wire.Unprocessable("VPC endpoint is not assigned to the organization in the project's region"))
	}
	c.project.VPCRestrictions = append(c.project.VPCRestrictions, restriction)
	return ok(nil)
}

func (e *Emulator) liftRestriction(c *call, lifted *vpcRestriction) (reply, error) {
	c.project.VPCRestrictions = without(c.project.VPCRestrictions, lifted)
	return ok(nil)
}

var (
	shownVPCEndpoints = shown{list: "vpc_endpoints", ofOrganization: func(_ *Emulator, org *organization) []object {
		return objectsOf(org.vpcEndpoints(""), func(v *vpcEndpoint) object {
			return object{"id": v.ID, "name": v.Label, "region_id": v.RegionID}
		})
	}}
	shownVPCRestrictions = shown{list: "vpc_restrictions", ofProject: func(_ *Emulator, p *project, _ time.Time) []object {
		return objectsOf(p.VPCRestrictions, func(r *vpcRestriction) object { return object{"id": r.ID, "name": r.Label} })
	}}
)
