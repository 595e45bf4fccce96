package emulator

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var authPeopleRoutes = []route{
	{"GET " + authPath + "/oauth_providers", forProject, (*Emulator).listOAuthProviders},
	{"POST " + authPath + "/oauth_providers", forProject, (*Emulator).addOAuthProvider},
	{"PATCH " + authPath + "/oauth_providers/{oauth_provider_id}", forProject, (*Emulator).updateOAuthProvider},
	{"DELETE " + authPath + "/oauth_providers/{oauth_provider_id}", forProject, (*Emulator).deleteOAuthProvider},
	{"GET " + authPath + "/domains", forProject, (*Emulator).listDomains},
	{"POST " + authPath + "/domains", forProject, (*Emulator).addDomain},
	{"DELETE " + authPath + "/domains", forProject, (*Emulator).deleteDomains},
	{"POST " + authPath + "/users", forProject, (*Emulator).addAuthUser},
	{"DELETE " + authPath + "/users/{auth_user_id}", forProject, (*Emulator).deleteAuthUser},
	{"PUT " + authPath + "/users/{auth_user_id}/role", forProject, (*Emulator).setAuthUserRoles},
}

type oauthView struct {
	ID           string `json:"id"`
	Type         string `json:"type"`
	ClientID     string `json:"client_id,omitempty"`
	ClientSecret string `json:"client_secret,omitempty"`
}

func (o oauthProvider) view() oauthView {
	kind := "standard"
	if o.ClientID == "" {
		kind = "shared"
	}
	return oauthView{o.ID, kind, o.ClientID, o.ClientSecret}
}

func (a *neonAuth) oauthViews() []oauthView {
	views := []oauthView{}
	for _, o := range a.OAuth {
		views = append(views, o.view())
	}
	return views
}

type oauthBody struct {
	ID           string  `json:"id" fits:"=google|github|microsoft|vercel"`
	ClientID     *string `json:"client_id"`
	ClientSecret *string `json:"client_secret"`
	TenantID     *string `json:"microsoft_tenant_id"`
}

func (body oauthBody) apply(o *oauthProvider) {
	set(&o.ClientID, body.ClientID)
	set(&o.ClientSecret, body.ClientSecret)
	set(&o.TenantID, body.TenantID)
}

// listOAuthProviders answers GET .../auth/oauth_providers.
func (e *Emulator) listOAuthProviders(c *call) (reply, error) {
	_, a, err := c.auth()
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"providers": a.oauthViews()})
}

// addOAuthProvider answers POST .../auth/oauth_providers. One that is there is changed.
func (e *Emulator) addOAuthProvider(c *call) (reply, error) {
	var body oauthBody
	a, err := e.changingAuth(c, &body, "id")
	switch {
	case err != nil:
		return reply{}, err
	case body.ID == "microsoft" && (body.ClientID == nil || *body.ClientID == ""):
		return reply{}, &wire.Error{Status: http.StatusBadRequest, Code: "INVALID_SHARED_OAUTH_PROVIDER", Message: "microsoft has no shared application"}
	}
	at := a.oauthNamed(body.ID)
	if at < 0 {
		a.OAuth, at = append(a.OAuth, oauthProvider{ID: body.ID}), len(a.OAuth)
	}
	body.apply(&a.OAuth[at])
	return ok(a.OAuth[at].view())
}

func (a *neonAuth) oauthNamed(id string) int {
	return slices.IndexFunc(a.OAuth, func(o oauthProvider) bool { return o.ID == id })
}

// updateOAuthProvider answers PATCH .../auth/oauth_providers/{oauth_provider_id}.
func (e *Emulator) updateOAuthProvider(c *call) (reply, error) {
	var body oauthBody
	a, err := e.changingAuth(c, &body)
	if err != nil {
		return reply{}, err
	}
	at := a.oauthNamed(c.PathValue("oauth_provider_id"))
	if at < 0 {
		return reply{}, wire.NotFound("OAuth provider not found")
	}
	body.apply(&a.OAuth[at])
	return ok(a.OAuth[at].view())
}

// deleteOAuthProvider answers DELETE .../auth/oauth_providers/{oauth_provider_id}, also where there is none.
func (e *Emulator) deleteOAuthProvider(c *call) (reply, error) {
	a, err := e.changingAuth(c, nil)
	if err != nil {
		return reply{}, err
	}
	a.OAuth = slices.DeleteFunc(a.OAuth, func(o oauthProvider) bool { return o.ID == c.PathValue("oauth_provider_id") })
	return ok(nil)
}

// listDomains answers GET .../auth/domains.
func (e *Emulator) listDomains(c *call) (reply, error) {
	_, a, err := c.auth()
	if err != nil {
		return reply{}, err
	}
	domains := []any{}
	for _, domain := range a.Domains {
		domains = append(domains, map[string]string{"domain": domain, "auth_provider": a.Provider})
	}
	return ok(map[string]any{"domains": domains})
}

// normalDomain is a domain as it is kept: its scheme and host in lower case, with no slash at the end.
func normalDomain(domain string) string {
	scheme, rest, found := strings.Cut(domain, "://")
	if !found {
		return domain
	}
	host, path, _ := strings.Cut(rest, "/")
	return strings.TrimSuffix(strings.ToLower(scheme)+"://"+strings.ToLower(host)+"/"+path, "/")
}

// addDomain answers POST .../auth/domains. One that is there is added once.
func (e *Emulator) addDomain(c *call) (reply, error) {
	var body struct {
		Domain   string `json:"domain" fits:"required"`
		Provider string `json:"auth_provider" fits:"required,=mock|stack|better_auth"`
	}
	a, err := e.changingAuth(c, &body)
	if err != nil {
		return reply{}, err
	}
	if domain := normalDomain(body.Domain); !slices.Contains(a.Domains, domain) {
		a.Domains = append(a.Domains, domain)
	}
	return reply{status: http.StatusCreated}, nil
}

// deleteDomains answers DELETE .../auth/domains, also where there is none of them.
func (e *Emulator) deleteDomains(c *call) (reply, error) {
	var body struct {
		Provider string `json:"auth_provider" fits:"required,=mock|stack|better_auth"`
		Domains  []struct {
			Domain string `json:"domain" fits:"required"`
		} `json:"domains" fits:"required"`
	}
	a, err := e.changingAuth(c, &body)
	if err != nil {
		return reply{}, err
	}
	for _, gone := range body.Domains {
		a.Domains = slices.DeleteFunc(a.Domains, func(domain string) bool { return domain == normalDomain(gone.Domain) })
	}
	return ok(nil)
}

// addAuthUser answers POST .../auth/users.
func (e *Emulator) addAuthUser(c *call) (reply, error) {
	var body wire.Shaped[struct {
		Email string `json:"email" fits:"required,email"`
		Name  string `json:"name" fits:"1..255"`
	}]
	a, err := e.changingAuth(c, &body)
	if err != nil {
		return reply{}, err
	}
	body["id"] = wire.NewUUID()
	a.Users = append(a.Users, body)
	return created(map[string]any{"id": body["id"]})
}

// changingUser finds the user that the path names, for a write.
func (e *Emulator) changingUser(c *call, body any) (*neonAuth, int, error) {
	a, err := e.changingAuth(c, body)
	if err != nil {
		return nil, 0, err
	}
	at := slices.IndexFunc(a.Users, func(user map[string]any) bool { return user["id"] == c.PathValue("auth_user_id") })
	if at < 0 {
		return nil, 0, wire.NotFound("user not found")
	}
	return a, at, nil
}

// deleteAuthUser answers DELETE .../auth/users/{auth_user_id}.
func (e *Emulator) deleteAuthUser(c *call) (reply, error) {
	a, at, err := e.changingUser(c, nil)
	if err != nil {
		return reply{}, err
	}
	a.Users = slices.Delete(a.Users, at, at+1)
	return alreadyGone()
}

// setAuthUserRoles answers PUT .../auth/users/{auth_user_id}/role.
func (e *Emulator) setAuthUserRoles(c *call) (reply, error) {
	var body struct {
		Roles []string `json:"roles" fits:"required,1..1000"`
	}
	a, at, err := e.changingUser(c, &body)
	if err != nil {
		return reply{}, err
	}
	a.Users[at]["roles"] = body.Roles
	return ok(map[string]any{"id": a.Users[at]["id"]})
}

var (
	shownAuth = shown{
		list: "auths", heading: "Auth", items: authItems,
		ofBranch: func(b *branch) []object {
			if b.Auth == nil {
				return nil
			}
			return []object{{"mails": b.Auth.Mails, "allow_localhost": b.Auth.AllowLocalhost}}
		},
	}
	shownOAuth = shown{list: "auth_oauth_providers", ofBranch: func(b *branch) []object {
		if b.Auth == nil {
			return nil
		}
		return objectsOf(b.Auth.OAuth, func(o oauthProvider) object {
			return object{"id": o.ID, "provider_name": o.ID, "client_id": o.ClientID}
		})
	}}
	shownTrusted = shown{list: "auth_trusted_domains", ofBranch: func(b *branch) []object {
		if b.Auth == nil {
			return nil
		}
		return objectsOf(b.Auth.Domains, func(domain string) object { return object{"domain": domain} })
	}}
)

// authItems are Neon Auth with its users, providers and domains.
func authItems(_ *project, b *branch, _ time.Time) []page.Item {
	if b.Auth == nil {
		return nil
	}
	shown := []page.Item{{Name: cmp.Or(b.Auth.Name, b.Auth.Provider), Detail: "in " + b.Auth.Database}}
	for _, o := range b.Auth.OAuth {
		shown = append(shown, page.Item{Name: o.ID, Detail: "OAuth provider"})
	}
	for _, domain := range b.Auth.Domains {
		shown = append(shown, page.Item{Name: domain, Detail: "trusted domain"})
	}
	for _, user := range b.Auth.Users {
		shown = append(shown, page.Item{Name: fmt.Sprint(user["email"]), Detail: "user"})
	}
	return shown
}
