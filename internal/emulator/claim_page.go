package emulator

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// claimCookie ties the form of the claim page to the browser that got it.
const claimCookie = "claim_session"

var claimPage = template.Must(template.New("claim").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{{.Title}}</title>
<h1>{{.Title}}</h1>
{{- with .Database}}
<dl>
<dt>Database</dt><dd id="database">{{.ID}}</dd>
<dt>Project</dt><dd id="project">{{.ProjectID}}</dd>
<dt>Made by way of</dt><dd id="referrer">{{.Referrer}}</dd>
</dl>
{{- end}}
{{- if .Form}}
<p>It expires at <time>{{.ExpiresAt}}</time> unless it is claimed. Claimed, it moves into the organization {{.Organization}}.</p>
<form method="post">
<input type="hidden" name="csrf_token" value="{{.Token}}">
<button type="submit">Claim</button>
</form>
{{- end}}
</html>
`))

type claimPageData struct {
	Title, ExpiresAt, Organization, Token string
	// Database is nil where there is none of that id.
	Database *claimable
	// Form says that it can be claimed.
	Form bool
}

// addClaimPage serves the web flow in which a user claims a database, at both of
// the addresses that Neon's clients hand out.
func (e *Emulator) addClaimPage() {
	for _, path := range []string{"/claim/{id}", "/database/{id}"} {
		e.mux.HandleFunc("GET "+path, e.showClaimPage)
		e.mux.HandleFunc("POST "+path, e.submitClaimPage)
	}
	e.mux.HandleFunc("GET /claim", e.showCeremony)
	e.mux.HandleFunc("POST /claim", e.continueCeremony)
}

func (e *Emulator) showClaimPage(w http.ResponseWriter, r *http.Request) {
	data, status := e.claimPageData(r.PathValue("id"))
	if data.Form {
		data.Token = e.newFormToken(w, r, r.PathValue("id"))
	}
	writePage(w, status, claimPage, data)
}

// newFormToken is that of a form about an object, for the browser that gets it.
func (e *Emulator) newFormToken(w http.ResponseWriter, r *http.Request, id string) string {
	session := wire.Unguessable(32)
	if cookie, err := r.Cookie(claimCookie); err == nil {
		session = cookie.Value
	}
	//nolint:gosec // The page is served over plain HTTP to this machine, where Secure would lose the cookie.
	http.SetCookie(w, &http.Cookie{Name: claimCookie, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	return e.formToken(session, id)
}

// isOwnForm reports whether a form was sent by the browser that got it, and was about that object.
func (e *Emulator) isOwnForm(w http.ResponseWriter, r *http.Request, id string) bool {
	cookie, err := r.Cookie(claimCookie)
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	return err == nil && hmac.Equal([]byte(r.PostFormValue("csrf_token")), []byte(e.formToken(cookie.Value, id)))
}

// staleForm is what a form is answered with that another browser got.
const staleForm = "This form is out of date; load the page again"

// claimPageData says what the page of a database shows now.
func (e *Emulator) claimPageData(id string) (claimPageData, int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expire(e.now())
	c := e.world.Claimables[id]
	if c == nil {
		return claimPageData{Title: claimableMissing}, http.StatusNotFound
	}
	shown := *c // The page is written when others may change it.
	if c.Status == claimed {
		return claimPageData{Title: "This database has been claimed", Database: &shown}, http.StatusOK
	}
	return claimPageData{
		Database: &shown, Title: "Claim this database", ExpiresAt: wire.Milliseconds(c.ExpiresAt),
		Organization: e.world.Orgs[e.world.First.OrgID].Name, Form: true,
	}, http.StatusOK
}

// submitClaimPage claims the database for whoever pressed the button, which is
// known from the token that the form was given.
func (e *Emulator) submitClaimPage(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if !e.isOwnForm(w, r, id) {
		writePage(w, http.StatusForbidden, claimPage, claimPageData{Title: staleForm})
		return
	}
	view, err := e.claimByID(r, id, claimed)
	if err != nil {
		writePage(w, wire.StatusOf(err), claimPage, claimPageData{Title: err.Error()})
		return
	}
	http.Redirect(w, r, "/claim/"+view.ID, http.StatusSeeOther)
}

func (e *Emulator) formToken(session, id string) string {
	mac := hmac.New(sha256.New, e.pageSecret)
	_, _ = mac.Write([]byte(session + "|" + id)) // A hash takes everything.
	return hex.EncodeToString(mac.Sum(nil))
}

// claimByID is what the page's button does.
func (e *Emulator) claimByID(r *http.Request, id, status string) (claimableView, error) {
	var view claimableView
	err := e.changeAndKeep(r, func(e *Emulator, c *call) (said reply, err error) {
		view, err = e.claimNow(c, id, status)
		return reply{status: http.StatusOK}, err
	})
	return view, err
}

// claimNow gives a database its owner, while the call changes the world.
func (e *Emulator) claimNow(c *call, id, status string) (claimableView, error) {
	found := e.world.Claimables[id]
	if found == nil {
		return claimableView{}, wire.NotFound(claimableMissing)
	}
	if e.plays(doubts.ClaimWindow24h) && c.now.After(found.CreatedAt.Add(24*time.Hour)) && found.Status == unclaimed {
		return claimableView{}, wire.Refuse(http.StatusGone, "The claim link has expired")
	}
	if found.Status != claimed {
		e.claim(found, status, c.now)
	}
	return e.claimableView(found, c.Request), nil
}

// writePage sends a page of a claim, which nobody may keep or frame.
func writePage(w http.ResponseWriter, status int, of *template.Template, data any) {
	var page bytes.Buffer
	if err := of.Execute(&page, data); err != nil {
		panic(err) // The template fits its data.
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // A browser that has gone needs no page.
}
