package emulator

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var authPeopleRoutes = []route{
	{"GET " + authPath + "/oauth_providers", forProject, tellsOf((*Emulator).auth, "providers",
		func(_ *Emulator, _ *call, a *neonAuth) []object { return a.oauthViews() })},
	{"POST " + authPath + "/oauth_providers", forProject, changesAuth((*Emulator).addOAuthProvider, "id")},
	{"PATCH " + authPath + "/oauth_providers/{oauth_provider_id}", forProject,
		changesAuth((*Emulator).updateOAuthProvider)},
	{"DELETE " + authPath + "/oauth_providers/{oauth_provider_id}", forProject,
		checked((*Emulator).deleteOAuthProvider, (*Emulator).hasAuth, (*Emulator).isFree)},
	{"GET " + authPath + "/domains", forProject, about((*Emulator).auth, (*Emulator).listDomains)},
	{"POST " + authPath + "/domains", forProject, changesAuth((*Emulator).addDomain)},
	{"DELETE " + authPath + "/domains", forProject, changesAuth((*Emulator).deleteDomains)},
	{"POST " + authPath + "/users", forProject, changesAuth((*Emulator).addAuthUser)},
	{"DELETE " + authPath + "/users/{auth_user_id}", forProject,
		checked(about((*Emulator).authUser, (*Emulator).deleteAuthUser), (*Emulator).hasAuth, (*Emulator).isFree)},
	{"PUT " + authPath + "/users/{auth_user_id}/role", forProject, changesAuth((*Emulator).setAuthUserRoles)},
}

func (o oauthProvider) view() object {
	kind := "standard"
	if o.ClientID == "" {
		kind = "shared"
	}
	return unlessEmpty(object{"id": o.ID, "type": kind, "client_id": o.ClientID, "client_secret": o.ClientSecret},
		"client_id", "client_secret")
}

func (a *neonAuth) oauthViews() []object { return viewsOf(a.OAuth, oauthProvider.view) }

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

// addOAuthProvider answers POST .../auth/oauth_providers. One that is there is changed.
func (e *Emulator) addOAuthProvider(_ *call, a *neonAuth, body oauthBody) (reply, error) {
	if body.ID == "microsoft" && (body.ClientID == nil || *body.ClientID == "") {
		return reply{}, &wire.Error{Status: http.StatusBadRequest, Code: "INVALID_SHARED_OAUTH_PROVIDER",
			Message: "microsoft has no shared application"}
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

func (e *Emulator) updateOAuthProvider(c *call, a *neonAuth, body oauthBody) (reply, error) {
	at := a.oauthNamed(c.PathValue("oauth_provider_id"))
	if at < 0 {
		return reply{}, wire.NotFound("OAuth provider not found")
	}
	body.apply(&a.OAuth[at])
	return ok(a.OAuth[at].view())
}

// deleteOAuthProvider answers DELETE .../auth/oauth_providers/{oauth_provider_id}, also where there is none.
func (e *Emulator) deleteOAuthProvider(c *call) (reply, error) {
	a := c.branch.Auth
	a.OAuth = slices.DeleteFunc(a.OAuth, func(o oauthProvider) bool { return o.ID == c.PathValue("oauth_provider_id") })
	return ok(nil)
}

func (e *Emulator) listDomains(_ *call, a *neonAuth) (reply, error) {
	return ok(map[string]any{"domains": viewsOf(a.Domains, func(domain string) map[string]string {
		return map[string]string{"domain": domain, "auth_provider": a.Provider}
	})})
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
func (e *Emulator) addDomain(_ *call, a *neonAuth, body struct {
	Domain   string `json:"domain" fits:"required"`
	Provider string `json:"auth_provider" fits:"required,=mock|stack|better_auth"`
}) (reply, error) {
	if domain := normalDomain(body.Domain); !slices.Contains(a.Domains, domain) {
		a.Domains = append(a.Domains, domain)
	}
	return reply{status: http.StatusCreated}, nil
}

// deleteDomains answers DELETE .../auth/domains, also where there is none of them.
func (e *Emulator) deleteDomains(_ *call, a *neonAuth, body struct {
	Provider string `json:"auth_provider" fits:"required,=mock|stack|better_auth"`
	Domains  []struct {
		Domain string `json:"domain" fits:"required"`
	} `json:"domains" fits:"required"`
}) (reply, error) {
	for _, gone := range body.Domains {
		a.Domains = slices.DeleteFunc(a.Domains, func(domain string) bool { return domain == normalDomain(gone.Domain) })
	}
	return ok(nil)
}

func (e *Emulator) addAuthUser(_ *call, a *neonAuth, body wire.Shaped[struct {
	Email string `json:"email" fits:"required,email"`
	Name  string `json:"name" fits:"1..255"`
}]) (reply, error) {
	body["id"] = wire.NewUUID()
	a.Users = append(a.Users, body)
	return created(map[string]any{"id": body["id"]})
}

// authUser finds the place of the user that the path names.
func (e *Emulator) authUser(c *call) (int, error) {
	at := slices.IndexFunc(c.branch.Auth.Users, func(user map[string]any) bool {
		return user["id"] == c.PathValue("auth_user_id")
	})
	if at < 0 {
		return 0, wire.NotFound("user not found")
	}
	return at, nil
}

func (e *Emulator) deleteAuthUser(c *call, at int) (reply, error) {
	a := c.branch.Auth
	a.Users = slices.Delete(a.Users, at, at+1)
	return alreadyGone()
}

func (e *Emulator) setAuthUserRoles(c *call, a *neonAuth, body struct {
	Roles []string `json:"roles" fits:"required,1..1000"`
}) (reply, error) {
	at, err := e.authUser(c)
	if err != nil {
		return reply{}, err
	}
	changed := maps.Clone(a.Users[at]) // Branches of the branch have the same one.
	changed["roles"] = body.Roles
	a.Users[at] = changed
	return ok(map[string]any{"id": changed["id"]})
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
		return objectsOf(b.authOrNone().OAuth, func(o oauthProvider) object {
			return object{"id": o.ID, "provider_name": o.ID, "client_id": o.ClientID}
		})
	}}
	shownTrusted = shown{list: "auth_trusted_domains", ofBranch: func(b *branch) []object {
		return objectsOf(b.authOrNone().Domains, func(domain string) object { return object{"domain": domain} })
	}}
)

// authOrNone is one without anything where the branch has none.
func (b *branch) authOrNone() *neonAuth { return cmp.Or(b.Auth, &neonAuth{}) }

// authItems are Neon Auth with its users, providers and domains.
func authItems(_ *project, b *branch, _ time.Time) []page.Item {
	if b.Auth == nil {
		return nil
	}
	return slices.Concat(
		[]page.Item{{Name: cmp.Or(b.Auth.Name, b.Auth.Provider), Detail: "in " + b.Auth.Database}},
		viewsOf(b.Auth.OAuth, func(o oauthProvider) page.Item { return page.Item{Name: o.ID, Detail: "OAuth provider"} }),
		viewsOf(b.Auth.Domains, func(domain string) page.Item { return page.Item{Name: domain, Detail: "trusted domain"} }),
		viewsOf(b.Auth.Users, func(user map[string]any) page.Item {
			return page.Item{Name: fmt.Sprint(user["email"]), Detail: "user"}
		}))
}
