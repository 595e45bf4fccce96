package client

import (
	"context"
	"fmt"
	"iter"
	"net/http"
)

// VPCEndpoint is an endpoint of AWS PrivateLink, through which a private network reaches an organization's projects.
type VPCEndpoint struct {
	ID    string `json:"vpc_endpoint_id"`
	Label string `json:"label"`
	// RegionID is empty for the restriction of a project.
	RegionID string `json:"region_id"`
	// Only GetVPCEndpointDetails returns the fields below. State is an open set: "new" and "accepted" are published.
	// RestrictedProjects counts the projects that are restricted to the endpoint, and ExampleProjects names up to three.
	State              string   `json:"state"`
	RestrictedProjects int64    `json:"num_restricted_projects"`
	ExampleProjects    []string `json:"example_restricted_projects"`
}

// VPCEndpointRef says which endpoint of an organization is meant.
type VPCEndpointRef struct{ OrgID, RegionID, ID string }

// vpcEndpointKind describes the endpoints of organizations, restrictionKind the restrictions of projects to them.
var (
	vpcEndpointKind = kind[VPCEndpoint]{
		noun: "VPC endpoint", route: "/organizations/{org_id}/vpc/vpc_endpoints", field: "endpoints",
		id: func(endpoint VPCEndpoint) string {
			if endpoint.RegionID == "" || endpoint.ID == "" {
				return ""
			}
			return endpoint.RegionID + "/" + endpoint.ID
		},
	}
	restrictionKind = kind[VPCEndpoint]{
		noun: "VPC endpoint restriction", route: "/projects/{project_id}/vpc_endpoints", one: "/{vpc_endpoint_id}",
		field:   "endpoints",
		isNamed: true, endsSilently: true, id: func(restriction VPCEndpoint) string { return restriction.ID },
	}
)

// AssignVPCEndpoint lets an endpoint reach the organization's projects, or changes its label.
// POST /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}: https://api-docs.neon.tech/reference/assignorganizationvpcendpoint
func (c *Client) AssignVPCEndpoint(ctx context.Context, endpoint VPCEndpointRef, label string) error {
	request := endpoint.call(http.MethodPost)
	request.subject = fmt.Sprintf("the assignment of VPC endpoint %s to organization %s", endpoint.ID, endpoint.OrgID)
	return c.setLabel(ctx, labelled(request, label), label,
		func(ctx context.Context) (*VPCEndpoint, error) { return endpoint.read(ctx, c) })
}

// labelled completes a request that gives the object in its path a label.
func labelled(request call, label string) call {
	request.body, request.answersNothing = map[string]string{"label": label}, true
	request.by = switched(request.path())
	return request
}

// setLabel sends a request that gives an object a label. After a lost answer, read shows whether it has that label.
func (c *Client) setLabel(
	ctx context.Context, request call, label string, read func(context.Context) (*VPCEndpoint, error),
) error {
	return c.settle(ctx, request, "", func(ctx context.Context) (bool, error) {
		found, err := present(read(ctx))
		return found != nil && found.Label == label, err
	})
}

// GetSharedVPCEndpoint reads one endpoint of an organization.
// GET /organizations/{org_id}/vpc/vpc_endpoints: https://api-docs.neon.tech/reference/listorganizationvpcendpointsallregions
func (c *Client) GetSharedVPCEndpoint(ctx context.Context, endpoint VPCEndpointRef) (*VPCEndpoint, error) {
	return vpcEndpointKind.shared(ctx, c, endpoint.OrgID, endpoint.RegionID+"/"+endpoint.ID)
}

// read is GetSharedVPCEndpoint by a list of its own.
func (r VPCEndpointRef) read(ctx context.Context, c *Client) (*VPCEndpoint, error) {
	return vpcEndpointKind.read(ctx, c, r.OrgID, r.RegionID+"/"+r.ID)
}

// ListVPCEndpoints lists the endpoints of an organization in all regions.
// GET /organizations/{org_id}/vpc/vpc_endpoints: https://api-docs.neon.tech/reference/listorganizationvpcendpointsallregions
func (c *Client) ListVPCEndpoints(ctx context.Context, orgID string) iter.Seq2[VPCEndpoint, error] {
	return vpcEndpointKind.list(ctx, c, orgID)
}

// GetVPCEndpointDetails reads what the list doesn't say.
// GET /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}: https://api-docs.neon.tech/reference/getorganizationvpcendpointdetails
func (c *Client) GetVPCEndpointDetails(ctx context.Context, ref VPCEndpointRef) (*VPCEndpoint, error) {
	request := ref.call(http.MethodGet)
	details, err := receive[VPCEndpoint](ctx, c, request, "vpc_endpoint_id")
	if provesNothing(err) {
		switch _, listErr := ref.read(ctx, c); {
		case IsAbsent(listErr):
			err = request.absent(request.noun, fmt.Errorf("%w; and the list lacks it", err))
		case listErr != nil && !provesNothing(listErr):
			err = listErr
		}
	}
	return details, err
}

// DeleteVPCEndpoint takes an endpoint from an organization, to which it can never be assigned again.
// DELETE /organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}: https://api-docs.neon.tech/reference/deleteorganizationvpcendpoint
func (c *Client) DeleteVPCEndpoint(ctx context.Context, endpoint VPCEndpointRef) error {
	request := endpoint.call(http.MethodDelete)
	request.subject = fmt.Sprintf("the removal of VPC endpoint %s from organization %s", endpoint.ID, endpoint.OrgID)
	return end(ctx, c, request, "", func(ctx context.Context) (*VPCEndpoint, error) { return endpoint.read(ctx, c) })
}

// CreateVPCEndpointRestriction restricts the private connections of a project to this endpoint, and to those of its
// other restrictions. The endpoint must be assigned to the organization. If there is such a restriction already, of
// which Neon would change the label, the error is ErrTaken.
// POST /projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}: https://api-docs.neon.tech/reference/assignprojectvpcendpoint
func (c *Client) CreateVPCEndpointRestriction(ctx context.Context, endpoint Ref[VPCEndpoint], label string) error {
	request := restriction(endpoint, label)
	_, err := creation[VPCEndpoint]{
		kind: restrictionKind, request: request, listing: restrictionKind.listCall(endpoint.ProjectID),
		meets:   restrictionKind.taken,
		isAlike: func(present VPCEndpoint) bool { return present.ID == endpoint.ID },
		send: func(request call) (*Answer[VPCEndpoint], error) {
			_, err := c.ownAnswer(ctx, request, "")
			return &Answer[VPCEndpoint]{Object: VPCEndpoint{ID: endpoint.ID, Label: label}}, err
		},
	}.object(ctx, c)
	return err
}

// UpdateVPCEndpointRestriction changes the label of a restriction.
// POST /projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}: https://api-docs.neon.tech/reference/assignprojectvpcendpoint
func (c *Client) UpdateVPCEndpointRestriction(ctx context.Context, endpoint Ref[VPCEndpoint], label string) error {
	request := restriction(endpoint, label)
	return c.setLabel(ctx, request, label, func(ctx context.Context) (*VPCEndpoint, error) {
		return restrictionKind.read(ctx, c, request.params...)
	})
}

// restriction is the request that creates a restriction, or changes its label.
func restriction(endpoint Ref[VPCEndpoint], label string) call {
	request := restrictionKind.of(http.MethodPost, "", endpoint.ProjectID, endpoint.ID)
	request.subject = fmt.Sprintf("the restriction of project %s to VPC endpoint %s", endpoint.ProjectID, endpoint.ID)
	return labelled(request, label)
}

// GetSharedVPCEndpointRestriction reads one restriction of a project.
// GET /projects/{project_id}/vpc_endpoints: https://api-docs.neon.tech/reference/listprojectvpcendpoints
func (c *Client) GetSharedVPCEndpointRestriction(ctx context.Context, endpoint Ref[VPCEndpoint]) (*VPCEndpoint, error) {
	return restrictionKind.shared(ctx, c, endpoint.ProjectID, endpoint.ID)
}

// ListVPCEndpointRestrictions lists the restrictions of a project.
// GET /projects/{project_id}/vpc_endpoints: https://api-docs.neon.tech/reference/listprojectvpcendpoints
func (c *Client) ListVPCEndpointRestrictions(ctx context.Context, projectID string) iter.Seq2[VPCEndpoint, error] {
	return restrictionKind.list(ctx, c, projectID)
}

// DeleteVPCEndpointRestriction removes a restriction from a project.
// DELETE /projects/{project_id}/vpc_endpoints/{vpc_endpoint_id}: https://api-docs.neon.tech/reference/deleteprojectvpcendpoint
func (c *Client) DeleteVPCEndpointRestriction(ctx context.Context, endpoint Ref[VPCEndpoint]) error {
	return restrictionKind.end(ctx, c, endpoint.ProjectID, endpoint.ID)
}

func (r VPCEndpointRef) call(method string) call {
	return call{
		method: method, route: "/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints/{vpc_endpoint_id}",
		params: []string{r.OrgID, r.RegionID, r.ID}, noun: "VPC endpoint", answersNothing: method == http.MethodDelete,
	}.identified(true)
}
