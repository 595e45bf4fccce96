package emulator

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	credentialsPath = branchPath + "/credentials"
	credentialPath  = credentialsPath + "/{token_id}"
)

var credentialRoutes = []route{
	{"GET " + credentialsPath, forProject, checked(tells("credentials", (*Emulator).credentialViews),
		(*Emulator).offersCredentials)},
	{"POST " + credentialsPath, forProject, withBody(whenFree((*Emulator).createCredential))},
	{"DELETE " + credentialPath, forProject, about((*Emulator).credential, (*Emulator).revokeCredential)},
	{"POST " + credentialPath + "/reveal", forProject, about((*Emulator).liveCredential, (*Emulator).revealCredential)},
	{"POST " + credentialPath + "/rotate", forProject, about((*Emulator).liveCredential, (*Emulator).rotateCredential)},
}

const (
	credentialIDPrefix = "nak_live_"
	shortTokenID       = 12
	hexDigits          = "0123456789abcdef"
)

func (k *credential) view(branchID string) object {
	return unlessEmpty(object{
		"token_id": k.ID, "token_id_short": k.ID[len(credentialIDPrefix):][:shortTokenID], "name": k.Name, "scopes": k.Scopes,
		"branch_id":      branchID,
		"principal_type": "user", "created_at": wire.Seconds(k.CreatedAt),
		"revoked_at": wire.OptionalSeconds(k.RevokedAt),
	}, "name", "revoked_at")
}

func (e *Emulator) viewWithSecrets(b *branch, k *credential) object {
	view := k.view(b.ID)
	maps.Copy(view, e.secretsOf(k))
	return view
}

func (e *Emulator) secretsOf(k *credential) object {
	return object{"api_token": e.world.secret(k.APIToken), "s3_secret_access_key": e.world.secret(k.S3Secret)}
}

func (k *credential) renewSecrets() {
	k.APIToken, k.S3Secret = "nt_live_"+wire.Unguessable(43), "nsk_live_"+wire.UnguessableOf(hexDigits, 64)
}

// credential finds the one that the path names, for a write.
func (e *Emulator) credential(c *call) (*credential, error) {
	if err := cmp.Or(e.isFree(c), e.offersCredentials(c)); err != nil {
		return nil, err
	}
	return named(c, c.branch.Credentials, "token_id", func(k *credential) string { return k.ID }, "credential not found")
}

// liveCredential is credential, without those that were revoked.
func (e *Emulator) liveCredential(c *call) (*credential, error) {
	k, err := e.credential(c)
	if err == nil && !k.RevokedAt.IsZero() {
		err = wire.NotFound("credential not found")
	}
	return k, err
}

func (e *Emulator) offersCredentials(c *call) error {
	if e.backendReason(c.project) != "" {
		return wire.NotFound("platform credentials not available")
	}
	return nil
}

func (e *Emulator) credentialViews(c *call) []object {
	return viewsOf(c.branch.Credentials, func(k *credential) object { return k.view(c.branch.ID) })
}

func (e *Emulator) createCredential(c *call, body struct {
	Name      string   `json:"name" fits:"..256"`
	Scopes    []string `json:"scopes" fits:"required,1..16,each,=storage:read|storage:write|ai_gateway:invoke|functions:invoke"`
	Principal string   `json:"principal_type" fits:"required,=user"`
}) (reply, error) {
	b := c.branch
	if err := e.offersCredentials(c); err != nil {
		return reply{}, err
	}
	slices.Sort(body.Scopes)
	k := &credential{ID: credentialIDPrefix + wire.UnguessableOf(hexDigits, 32), Name: body.Name,
		Scopes: slices.Compact(body.Scopes), CreatedAt: c.now}
	k.renewSecrets()
	b.Credentials = append(b.Credentials, k)
	view := e.viewWithSecrets(b, k)
	delete(view, "principal_type")
	return created(view)
}

// revokeCredential answers DELETE .../credentials/{token_id}, also of one that was revoked before.
func (e *Emulator) revokeCredential(c *call, k *credential) (reply, error) {
	if k.RevokedAt.IsZero() {
		k.RevokedAt = c.now
	}
	return alreadyGone()
}

func (e *Emulator) revealCredential(_ *call, k *credential) (reply, error) {
	view := e.secretsOf(k)
	view["token_id"] = k.ID
	return ok(view)
}

func (e *Emulator) rotateCredential(c *call, k *credential) (reply, error) {
	k.renewSecrets()
	k.Rotations++
	return ok(e.viewWithSecrets(c.branch, k))
}

// validCredentials are the credentials of a branch that weren't revoked.
func (b *branch) validCredentials() []*credential {
	return slices.DeleteFunc(slices.Clone(b.Credentials), func(k *credential) bool { return !k.RevokedAt.IsZero() })
}

var shownCredentials = shownOnBranches("service_credentials", "Credentials", (*branch).validCredentials,
	func(k *credential) object {
		return object{"id": k.ID, "name": k.Name, "scopes": k.Scopes, "rotations": k.Rotations,
			"created_at": wire.Seconds(k.CreatedAt)}
	},
	func(k *credential) page.Item {
		return page.Item{Name: cmp.Or(k.Name, k.ID), Detail: strings.Join(k.Scopes, ", ")}
	})
