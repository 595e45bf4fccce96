package emulator

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/control"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/journal"
)

// pageInterval is how often an open page looks whether it has changed.
const pageInterval = 250 * time.Millisecond

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.ParseFS(pageFiles, "page/*.html"))

// pageSections are the parts of the page that are replaced when they change, each a
// template and the id of an element.
var pageSections = []string{"summary", "clock", "faults", "world", "operations", "requests"}

// pageView is all that the page shows.
type pageView struct {
	Now, Advanced string
	// Databases is the port of the databases, zero where none is served.
	Databases    int
	Owners       []ownerView
	MoreProjects int
	Timelines    []timeline
	Requests     []journal.Request
	Faults       []control.Fault
	FaultRoutes  []string
	FaultKinds   []string
	// FaultEffects say what each kind does.
	FaultEffects map[string]string
	BaseURL      string
	// Wanted is what somebody looks for among projects and branches, empty for everything.
	Wanted string
}

// addPage serves the page that shows the world, and what keeps it up to date.
func (e *Emulator) addPage() {
	e.servePage("GET /{$}", "text/html", func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(renderPage("page", e.pageView(r))) // A browser that has gone needs no page.
	})
	e.servePage("GET /_emulator/page", "text/event-stream", e.streamPage)
	for name, kind := range map[string]string{"page.css": "text/css", "page.js": "text/javascript"} {
		e.servePage("GET /_emulator/"+name, kind, func(w http.ResponseWriter, r *http.Request) {
			http.ServeFileFS(w, r, pageFiles, "page/"+name)
		})
	}
}

// servePage serves what only the emulator's own page on this machine may have, and which
// may load nothing from elsewhere.
func (e *Emulator) servePage(pattern, kind string, handle http.HandlerFunc) {
	e.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		if err := e.checkPeer(r); err != nil {
			control.SendError(w, err)
			return
		}
		control.Hide(w)
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"+
			" img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Referrer-Policy", "no-referrer")
		handle(w, r)
	})
}

func renderPage(name string, view pageView) []byte {
	var text bytes.Buffer
	if err := pageTemplate.ExecuteTemplate(&text, name, view); err != nil {
		panic(err) // The templates fit their data.
	}
	return text.Bytes()
}

// pageView collects what the page shows now.
func (e *Emulator) pageView(r *http.Request) pageView {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	e.expire(now)
	v := pageView{
		Now: moment(now), Timelines: e.timelines(now), Faults: e.faults.List(), Requests: newest(e.journal.Since(time.Time{}), journal.Length),
		FaultRoutes: faultRoutes(), FaultKinds: control.FaultKinds, FaultEffects: control.FaultEffects, BaseURL: cmp.Or(e.baseURL, "http://"+r.Host), Wanted: strings.TrimSpace(r.FormValue("find")),
	}
	if e.world.Advanced > 0 {
		v.Advanced = e.world.Advanced.String()
	}
	if e.databases != nil {
		v.Databases = e.databases.Port()
	}
	v.Owners, v.MoreProjects = e.shownOwners(v.Wanted, now)
	return v
}

// streamPage sends the sections of the page that have changed, for as long as the page is
// open (server-sent events).
func (e *Emulator) streamPage(w http.ResponseWriter, r *http.Request) {
	out := http.NewResponseController(w)
	sent := map[string]string{}
	tick := time.NewTicker(pageInterval)
	defer tick.Stop()
	for {
		changed := map[string]string{}
		view := e.pageView(r)
		for _, name := range pageSections {
			if text := string(renderPage(name, view)); sent[name] != text {
				sent[name], changed[name] = text, text
			}
		}
		if len(changed) > 0 {
			event, _ := json.Marshal(changed) // It is made of strings.
			if _, err := fmt.Fprintf(w, "data: %s\n\n", event); err != nil || out.Flush() != nil {
				return
			}
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-e.pagesOver:
			return
		}
	}
}
