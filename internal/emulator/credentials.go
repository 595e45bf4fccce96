package emulator

import (
	"cmp"
	cryptorand "crypto/rand"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const (
	credentialsPath = branchPath + "/credentials"
	credentialPath  = credentialsPath + "/{token_id}"
)

var credentialRoutes = []route{
	{"GET " + credentialsPath, forProject, (*Emulator).listCredentials},
	{"POST " + credentialsPath, forProject, (*Emulator).createCredential},
	{"DELETE " + credentialPath, forProject, (*Emulator).revokeCredential},
	{"POST " + credentialPath + "/reveal", forProject, (*Emulator).revealCredential},
	{"POST " + credentialPath + "/rotate", forProject, (*Emulator).rotateCredential},
}

type credentialView struct {
	ID         string   `json:"token_id"`
	ShortID    string   `json:"token_id_short"`
	Name       string   `json:"name,omitempty"`
	Scopes     []string `json:"scopes"`
	BranchID   string   `json:"branch_id"`
	Principal  string   `json:"principal_type,omitempty"`
	CreatedAt  string   `json:"created_at"`
	LastUsedAt string   `json:"last_used_at,omitempty"`
	RevokedAt  string   `json:"revoked_at,omitempty"`
	APIToken   string   `json:"api_token,omitempty"`
	S3Secret   string   `json:"s3_secret_access_key,omitempty"`
}

const (
	credentialIDPrefix = "nak_live_"
	shortTokenID       = 12
)

func (k *credential) view(branchID string) credentialView {
	return credentialView{
		ID: k.ID, ShortID: k.ID[len(credentialIDPrefix):][:shortTokenID], Name: k.Name, Scopes: k.Scopes, BranchID: branchID, Principal: "user",
		CreatedAt: wire.Seconds(k.CreatedAt), LastUsedAt: wire.OptionalSeconds(k.LastUsedAt), RevokedAt: wire.OptionalSeconds(k.RevokedAt),
	}
}

// withSecrets is the answer that shows them.
func (v credentialView) withSecrets(e *Emulator, k *credential) credentialView {
	v.APIToken, v.S3Secret = e.world.secret(k.APIToken), e.world.secret(k.S3Secret)
	return v
}

func (k *credential) renewSecrets() {
	k.APIToken, k.S3Secret = "nt_live_"+wire.Unguessable(43), "nsk_live_"+unguessableHex(32)
}

// unguessableHex is so many bytes that nobody can predict.
func unguessableHex(size int) string {
	random := make([]byte, size)
	_, _ = cryptorand.Read(random) // Never fails.
	return hex.EncodeToString(random)
}

// changingBranch finds the branch that the path names for a write without operations, which waits for other work, with
// the write's body, nil for none.
func (e *Emulator) changingBranch(c *call, body any, required ...string) (*branch, error) {
	if body != nil {
		if err := c.decode(body, required...); err != nil {
			return nil, err
		}
	}
	return c.branch, e.checkFree(c.project, c.now, c.branch.ID)
}

// credential finds the one that the path names, for a write.
func (e *Emulator) credential(c *call) (*branch, *credential, error) {
	b, err := e.changingBranch(c, nil)
	if err == nil {
		err = e.offersCredentials(c)
	}
	if err != nil {
		return nil, nil, err
	}
	at := slices.IndexFunc(b.Credentials, func(k *credential) bool { return k.ID == c.PathValue("token_id") })
	if at < 0 {
		return nil, nil, wire.NotFound("credential not found")
	}
	return b, b.Credentials[at], nil
}

// liveCredential is credential, without those that were revoked.
func (e *Emulator) liveCredential(c *call) (*branch, *credential, error) {
	b, k, err := e.credential(c)
	if err == nil && !k.RevokedAt.IsZero() {
		err = wire.NotFound("credential not found")
	}
	return b, k, err
}

// offersCredentials refuses calls where there are none.
func (e *Emulator) offersCredentials(c *call) error {
	if e.backendReason(c.project) != "" {
		return wire.NotFound("platform credentials not available")
	}
	return nil
}

// listCredentials answers GET .../credentials.
func (e *Emulator) listCredentials(c *call) (reply, error) {
	b := c.branch
	if err := e.offersCredentials(c); err != nil {
		return reply{}, err
	}
	views := []credentialView{}
	for _, k := range b.Credentials {
		views = append(views, k.view(b.ID))
	}
	return ok(map[string]any{"credentials": views})
}

// createCredential answers POST .../credentials.
func (e *Emulator) createCredential(c *call) (reply, error) {
	var body struct {
		Name      string   `json:"name" fits:"..256"`
		Scopes    []string `json:"scopes" fits:"required,1..16,each,=storage:read|storage:write|ai_gateway:invoke|functions:invoke"`
		Principal string   `json:"principal_type" fits:"required,=user"`
	}
	b, err := e.changingBranch(c, &body)
	if err == nil {
		err = e.offersCredentials(c)
	}
	if err != nil {
		return reply{}, err
	}
	slices.Sort(body.Scopes)
	k := &credential{ID: credentialIDPrefix + unguessableHex(16), Name: body.Name, Scopes: slices.Compact(body.Scopes), CreatedAt: c.now}
	k.renewSecrets()
	b.Credentials = append(b.Credentials, k)
	view := k.view(b.ID).withSecrets(e, k)
	view.Principal = ""
	return created(view)
}

// revokeCredential answers DELETE .../credentials/{token_id}, also of one that was revoked before.
func (e *Emulator) revokeCredential(c *call) (reply, error) {
	_, k, err := e.credential(c)
	if err != nil {
		return reply{}, err
	}
	if k.RevokedAt.IsZero() {
		k.RevokedAt = c.now
	}
	return alreadyGone()
}

// revealCredential answers POST .../credentials/{token_id}/reveal.
func (e *Emulator) revealCredential(c *call) (reply, error) {
	_, k, err := e.liveCredential(c)
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]string{"token_id": k.ID, "api_token": e.world.secret(k.APIToken), "s3_secret_access_key": e.world.secret(k.S3Secret)})
}

// rotateCredential answers POST .../credentials/{token_id}/rotate.
func (e *Emulator) rotateCredential(c *call) (reply, error) {
	b, k, err := e.liveCredential(c)
	if err != nil {
		return reply{}, err
	}
	k.renewSecrets()
	k.Rotations++
	return ok(k.view(b.ID).withSecrets(e, k))
}

// validCredentials are the credentials of a branch that weren't revoked.
func (b *branch) validCredentials() []*credential {
	return slices.DeleteFunc(slices.Clone(b.Credentials), func(k *credential) bool { return !k.RevokedAt.IsZero() })
}

var shownCredentials = shown{
	list: "service_credentials", heading: "Credentials",
	ofBranch: func(b *branch) []object {
		return objectsOf(b.validCredentials(), func(k *credential) object {
			return object{"id": k.ID, "name": k.Name, "scopes": k.Scopes, "rotations": k.Rotations, "created_at": wire.Seconds(k.CreatedAt)}
		})
	},
	items: func(_ *project, b *branch, _ time.Time) []page.Item {
		return items(b.validCredentials(), func(k *credential) page.Item {
			return page.Item{Name: cmp.Or(k.Name, k.ID), Detail: strings.Join(k.Scopes, ", ")}
		})
	},
}
