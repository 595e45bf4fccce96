// Package page is the page at the emulator's address: it shows a View of the world, and keeps
// that up to date while it is open. What fills a View is the emulator's; the page knows no more.
package page

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"time"
)

// interval is how often an open page looks whether it has changed, and share is how many times as long as that takes it
// waits at least: a large world on a slow machine has other work, too.
const (
	interval = 250 * time.Millisecond
	share    = 10
)

//go:embed page.html page.css page.js
var files embed.FS

var templates = template.Must(template.ParseFS(files, "page.html"))

// sections are the parts of the page that are replaced when they change, each a
// template and the id of an element.
var sections = []string{"summary", "clock", "faults", "world", "operations", "requests"}

// Handlers are the page and what it loads, by their patterns. Over ends what keeps open pages
// up to date.
func Handlers(view func(*http.Request) View, over <-chan struct{}) map[string]http.HandlerFunc {
	handlers := map[string]http.HandlerFunc{
		"GET /{$}": protected("text/html", func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write(render("page", view(r))) // A browser that has gone needs no page.
		}),
		"GET /_emulator/page": protected("text/event-stream",
			func(w http.ResponseWriter, r *http.Request) { stream(w, r, view, over) }),
	}
	for name, kind := range map[string]string{"page.css": "text/css", "page.js": "text/javascript"} {
		handlers["GET /_emulator/"+name] = protected(kind,
			func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, name) })
	}
	return handlers
}

// protected serves what may load nothing from elsewhere, and be in no page of others.
func protected(kind string, handle http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; "+
			"connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		w.Header().Set("Referrer-Policy", "no-referrer")
		handle(w, r)
	}
}

func render(name string, view View) []byte {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, name, view); err != nil {
		panic(err) // The templates fit their data.
	}
	return text.Bytes()
}

// stream sends the sections of the page that have changed, for as long as the page is
// open (server-sent events).
func stream(w http.ResponseWriter, r *http.Request, viewed func(*http.Request) View, over <-chan struct{}) {
	out := http.NewResponseController(w)
	sent := map[string]string{}
	for {
		began, changed := time.Now(), map[string]string{}
		view := viewed(r)
		for _, name := range sections {
			if text := string(render(name, view)); sent[name] != text {
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
		case <-time.After(max(interval, share*time.Since(began))):
		case <-r.Context().Done():
			return
		case <-over:
			return
		}
	}
}
