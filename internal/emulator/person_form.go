package emulator

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"html/template"
	"net/http"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

//go:embed person_form.html
var personForm string

var personTemplate = template.Must(template.New("form").Parse(personForm))

// personPage is what a person sees who has the link of something that can be taken over.
type personPage struct {
	// Title is above what is said: reasons why it can't be taken, what it is, and a text that may end with a time.
	Title       string
	Reasons     []string
	Facts       []fact
	Text, Until string
	// Button is that of the form, empty for none. The others are its fields, which it may not have.
	Button, Token, Transfer string
	Code                    *fact
	Organizations           []fact
}

// fact is something that a page says, or lets choose.
type fact struct{ ID, Name, Value string }

// sessionCookie ties a form to the browser that got it.
const sessionCookie = "claim_session"

// addPersonForm serves a page with a form for the browser that gets it. What it is about is told by its address.
func (e *Emulator) addPersonForm(
	path string, about func(*http.Request) string, show func(*http.Request) (personPage, int),
	submit func(http.ResponseWriter, *http.Request),
) {
	e.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
		page, status := show(r)
		if page.Button != "" {
			page.Token = e.newFormToken(w, r, about(r))
		}
		writePage(w, status, page)
	})
	e.mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		if !e.isOwnForm(w, r, about(r)) {
			writePage(w, http.StatusForbidden, personPage{Title: "This form is out of date; load the page again"})
			return
		}
		submit(w, r)
	})
}

// newFormToken is that of a form about something, for the browser that gets it.
func (e *Emulator) newFormToken(w http.ResponseWriter, r *http.Request, about string) string {
	session := wire.Unguessable(32)
	if cookie, err := r.Cookie(sessionCookie); err == nil {
		session = cookie.Value
	}
	//nolint:gosec // The page is served over plain HTTP to this machine, where Secure would lose the cookie.
	http.SetCookie(w, &http.Cookie{Name: sessionCookie, Value: session, Path: "/", HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
	return e.signature("form", session, about)
}

// isOwnForm reports whether a form was sent by the browser that got it, and was about that.
func (e *Emulator) isOwnForm(w http.ResponseWriter, r *http.Request, about string) bool {
	cookie, err := r.Cookie(sessionCookie)
	r.Body = http.MaxBytesReader(w, r.Body, largestBody)
	return err == nil && hmac.Equal([]byte(r.PostFormValue("csrf_token")),
		[]byte(e.signature("form", cookie.Value, about)))
}

// signature is one that only this emulator can have given these words.
func (e *Emulator) signature(words ...string) string {
	mac := hmac.New(sha256.New, e.pageSecret)
	_, _ = mac.Write([]byte(strings.Join(words, "|"))) // A hash takes everything.
	return hex.EncodeToString(mac.Sum(nil))
}

// writePage sends a page that nobody may keep or frame.
func writePage(w http.ResponseWriter, status int, shown personPage) {
	var page bytes.Buffer
	if err := personTemplate.Execute(&page, shown); err != nil {
		panic(err) // The template fits its data.
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
	w.WriteHeader(status)
	_, _ = page.WriteTo(w) // A browser that has gone needs no page.
}
