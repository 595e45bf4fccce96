package emulator

import (
	"cmp"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var transferPage = template.Must(template.New("transfer").Parse(`<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{{.Title}}</title>
<h1>{{.Title}}</h1>
{{- range .Reasons}}
<p class="reason">{{.}}</p>
{{- end}}
{{- if .ProjectID}}
<dl>
<dt>Project</dt><dd id="project">{{.Project}} ({{.ProjectID}})</dd>
<dt>Offered by</dt><dd id="owner">{{.Owner}}</dd>
</dl>
{{- end}}
{{- if .Organizations}}
<p>Whoever has this link can take the project into an organization of theirs, once, until <time>{{.ExpiresAt}}</time>.</p>
<form method="post">
<input type="hidden" name="csrf_token" value="{{.Token}}">
<label>Organization <select name="org_id">
{{- range .Organizations}}
<option value="{{.ID}}">{{.Name}} ({{.ID}})</option>
{{- end}}
</select></label>
<button type="submit">Accept</button>
</form>
{{- end}}
</html>
`))

type transferPageData struct {
	Title, Project, ProjectID, Owner, ExpiresAt, Token string
	// Reasons are why it can't be taken.
	Reasons []string
	// Organizations are those that can take it: all but its own, as nobody logs in here.
	Organizations []acceptingOrganization
}

type acceptingOrganization struct{ ID, Name string }

// addTransferPage serves the link of a transfer request, where a person accepts it.
func (e *Emulator) addTransferPage() {
	const path = "/app/claim" // That of the web console.
	e.mux.HandleFunc("GET "+path, e.showTransferPage)
	e.mux.HandleFunc("POST "+path, e.submitTransferPage)
}

func (e *Emulator) showTransferPage(w http.ResponseWriter, r *http.Request) {
	projectID, requestID := offered(r)
	data, status := e.transferPageData(projectID, requestID)
	if len(data.Organizations) > 0 {
		data.Token = e.newFormToken(w, r, projectID+requestID)
	}
	writePage(w, status, transferPage, data)
}

// offered are the project and the request of a link.
func offered(r *http.Request) (projectID, requestID string) {
	return r.URL.Query().Get("p"), r.URL.Query().Get("tr")
}

// transferPageData says what the page of a request shows now.
func (e *Emulator) transferPageData(projectID, requestID string) (transferPageData, int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	e.expire(now)
	p, request := e.world.Projects[projectID], (*transferRequest)(nil)
	if p != nil {
		request = p.transferRequest(requestID, now)
	}
	if request == nil {
		return transferPageData{
			Title: "This link leads to no project", Reasons: []string{"It was used already, it has expired, or it isn't whole. Ask whoever offers the project for another one."},
		}, http.StatusNotFound
	}
	data := transferPageData{
		Title: "Take this project", Project: p.Name, ProjectID: p.ID, Owner: e.world.Orgs[p.OrgID].Name,
		ExpiresAt: wire.Seconds(request.ExpiresAt),
	}
	for _, org := range slices.SortedFunc(maps.Values(e.world.Orgs), func(a, b *organization) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) }) {
		if org.ID != p.OrgID {
			data.Organizations = append(data.Organizations, acceptingOrganization{org.ID, org.Name})
		}
	}
	if len(data.Organizations) == 0 {
		data.Reasons = []string{"There is no other organization here that could take it. POST /_emulator/organizations makes one."}
	}
	return data, http.StatusOK
}

// submitTransferPage accepts the request for the organization that was chosen, and leads on to where the link says.
func (e *Emulator) submitTransferPage(w http.ResponseWriter, r *http.Request) {
	projectID, requestID := offered(r)
	if !e.isOwnForm(w, r, projectID+requestID) {
		writePage(w, http.StatusForbidden, transferPage, transferPageData{Title: staleForm})
		return
	}
	var data transferPageData
	err := e.changeAndKeep(r, func(e *Emulator, c *call) (said reply, err error) {
		p, org := e.world.Projects[projectID], e.world.Orgs[r.PostFormValue("org_id")]
		if p == nil || org == nil {
			return reply{}, wire.NotFound("project or organization not found")
		}
		if said, err = e.accept(p, requestID, org, c.now); said.status == http.StatusNotAcceptable {
			for _, reason := range e.insufficient(p, org) {
				data.Reasons = append(data.Reasons, reason["message"])
			}
			return reply{}, wire.Refuse(said.status, "The plan of %s doesn't suffice for the project", org.Name)
		}
		data.Title = p.Name + " is " + org.Name + "'s now"
		return said, err
	})
	next, parseErr := url.Parse(r.URL.Query().Get("ru"))
	switch {
	case err != nil:
		data.Title = err.Error()
		writePage(w, wire.StatusOf(err), transferPage, data)
	case parseErr == nil && next.Scheme == "https" && next.Host != "":
		//nolint:gosec // Neon's page leads on to where the link says, too; the form was this browser's own.
		http.Redirect(w, r, next.String(), http.StatusSeeOther)
	default:
		writePage(w, http.StatusOK, transferPage, data)
	}
}
