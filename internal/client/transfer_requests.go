package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// TransferRequest lets whoever knows its id take a project over, once. Neon has no call that reads or ends one.
type TransferRequest struct {
	// ID is a secret, as are URLs with it.
	ID        string    `json:"id"`
	ProjectID string    `json:"project_id"`
	ExpiresAt time.Time `json:"expires_at"`
}

const transferRequests = "/transfer_requests"

// CreateTransferRequest offers a project to whoever gets the request's id, for so many seconds; 0 leaves that to Neon
// (a day). One whose answer was lost can be accepted by nobody, since nobody knows its id, so another is made.
// POST /projects/{project_id}/transfer_requests: https://api-docs.neon.tech/reference/createprojecttransferrequest
func (c *Client) CreateTransferRequest(ctx context.Context, projectID string, seconds int64) (*TransferRequest, error) {
	body := map[string]int64{}
	if seconds != 0 {
		body["ttl_seconds"] = seconds
	}
	request := call{
		method: http.MethodPost, route: "/projects/{project_id}" + transferRequests, params: []string{projectID},
		subject: "a transfer request for project " + projectID, body: body, by: harmless,
	}
	return receiveOnce[TransferRequest](ctx, c, request, "id")
}

// AcceptTransferRequest makes a project an organization's. Where the organization's plan doesn't do, Neon answers 406.
// PUT /projects/{project_id}/transfer_requests/{request_id}: https://api-docs.neon.tech/reference/acceptprojecttransferrequest
func (c *Client) AcceptTransferRequest(ctx context.Context, accepted Ref[TransferRequest], orgID string) error {
	request := call{
		method: http.MethodPut, route: "/projects/{project_id}" + transferRequests + "/{request_id}",
		params:  []string{accepted.ProjectID, accepted.ID},
		subject: fmt.Sprintf("the transfer of project %s to organization %s", accepted.ProjectID, orgID),
		body:    map[string]string{"org_id": orgID}, answersNothing: true, by: harmless,
	}
	return c.settle(ctx, request, "", func(ctx context.Context) (bool, error) {
		project, err := c.GetProject(ctx, accepted.ProjectID)
		if is[*UnseenProjectError](err) { // It is still somebody else's.
			return false, nil
		}
		return err == nil && project.OrgID == orgID, err
	})
}

// ClaimURL is where a person accepts a transfer request in the web console, which leads on to redirect unless that is
// empty. With an emulator it stays on this machine. It is a secret.
func (c *Client) ClaimURL(request TransferRequest, redirect string) string {
	console := url.URL{Scheme: "https", Host: "console.neon.tech", Path: "/app/claim"}
	if base := c.bases[controlAPI]; isLoopback(base.Hostname()) {
		console.Scheme, console.Host = base.Scheme, base.Host
	}
	console.RawQuery = "p=" + url.QueryEscape(request.ProjectID) + "&tr=" + url.QueryEscape(request.ID)
	if redirect != "" {
		console.RawQuery += "&ru=" + url.QueryEscape(redirect)
	}
	return console.String()
}

// hidesIDs reports whether ids in a call's path and answer are secrets: whoever knows one can take the project.
func (r call) hidesIDs() bool {
	return r.api == claimAPI || strings.Contains(r.route, transferRequests)
}
