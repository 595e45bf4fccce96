package emulator

import (
	"regexp"
	"slices"
	"time"
)

// jwks is the address of a set of keys that verify tokens in a project.
type jwks struct {
	ID, URL, Provider    string
	BranchID, Audience   string
	RoleNames            []string
	CreatedAt, UpdatedAt time.Time
}

// mostJWKSRoles is how many roles an address is for at most.
const mostJWKSRoles = 10

var jwksCreateSchema = object(fields{
	"jwks_url": matching(regexp.MustCompile(`^https://[^\s/]`)), "provider_name": anyText(), "branch_id": matching(idPattern),
	"jwt_audience": anyText(), "role_names": sized(0, mostJWKSRoles, list(anyText())), "skip_role_creation": boolean(),
}, "jwks_url", "provider_name")

type jwksView struct {
	ID        string   `json:"id"`
	ProjectID string   `json:"project_id"`
	BranchID  string   `json:"branch_id,omitempty"`
	URL       string   `json:"jwks_url"`
	Provider  string   `json:"provider_name"`
	Audience  string   `json:"jwt_audience,omitempty"`
	RoleNames []string `json:"role_names,omitempty"`
	CreatedAt string   `json:"created_at"`
	UpdatedAt string   `json:"updated_at"`
}

func (k *jwks) view(p *project) jwksView {
	return jwksView{k.ID, p.ID, k.BranchID, k.URL, k.Provider, k.Audience, k.RoleNames, seconds(k.CreatedAt), seconds(k.UpdatedAt)}
}

// listJWKS answers GET /projects/{project_id}/jwks.
func (e *Emulator) listJWKS(c *call) (reply, error) {
	views := make([]jwksView, 0, len(c.project.JWKS))
	for _, k := range c.project.JWKS {
		views = append(views, k.view(c.project))
	}
	return ok(map[string]any{"jwks": views})
}

// addJWKS answers POST /projects/{project_id}/jwks. The keys themselves aren't looked at, and
// no roles are created for them.
func (e *Emulator) addJWKS(c *call) (reply, error) {
	var body struct {
		URL       string   `json:"jwks_url"`
		Provider  string   `json:"provider_name"`
		BranchID  string   `json:"branch_id"`
		Audience  string   `json:"jwt_audience"`
		RoleNames []string `json:"role_names"`
	}
	if err := c.decode(jwksCreateSchema, &body); err != nil {
		return reply{}, err
	}
	b := c.project.Branches[or(body.BranchID, c.project.DefaultBranchID)]
	if b == nil {
		return reply{}, notFound("branch not found")
	}
	operations, err := e.applyConfig(c, b)
	if err != nil {
		return reply{}, err
	}
	k := &jwks{
		ID: newUUID(), URL: body.URL, Provider: body.Provider, BranchID: body.BranchID, Audience: body.Audience,
		RoleNames: body.RoleNames, CreatedAt: c.now, UpdatedAt: c.now,
	}
	c.project.JWKS = append(c.project.JWKS, k)
	return created(map[string]any{"jwks": k.view(c.project), "operations": operationViews(operations, c.now)})
}

// deleteJWKS answers DELETE /projects/{project_id}/jwks/{jwks_id}.
func (e *Emulator) deleteJWKS(c *call) (reply, error) {
	found := slices.IndexFunc(c.project.JWKS, func(k *jwks) bool { return k.ID == c.PathValue("jwks_id") })
	if found < 0 {
		return reply{}, notFound("JWKS not found")
	}
	view := c.project.JWKS[found].view(c.project)
	c.project.JWKS = slices.Delete(c.project.JWKS, found, found+1)
	return ok(view)
}
