package emulator

import (
	"cmp"
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// addTransferPage serves the link of a transfer request, where a person accepts it.
func (e *Emulator) addTransferPage() {
	about := func(r *http.Request) string {
		projectID, requestID := offered(r)
		return projectID + requestID
	}
	e.addPersonForm("/app/claim", about, e.transferPage, e.submitTransferPage) // The path of the web console.
}

// offered are the project and the request of a link.
func offered(r *http.Request) (projectID, requestID string) {
	return r.URL.Query().Get("p"), r.URL.Query().Get("tr")
}

// transferPage says what the page of a request shows now: all organizations but its own can take it, as nobody logs in
// here.
func (e *Emulator) transferPage(r *http.Request) (personPage, int) {
	projectID, requestID := offered(r)
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	e.expire(now)
	p, request := e.world.Projects[projectID], (*transferRequest)(nil)
	if p != nil {
		request = p.transferRequest(requestID, now)
	}
	if request == nil {
		return personPage{
			Title: "This link leads to no project", Reasons: []string{"It was used already, it has expired, or it isn't " +
				"whole. Ask whoever offers the project for another one."},
		}, http.StatusNotFound
	}
	shown := personPage{
		Title: "Take this project",
		Facts: []fact{{"project", "Project", p.Name + " (" + p.ID + ")"},
			{"owner", "Offered by", e.world.Orgs[p.OrgID].Name}},
	}
	for _, org := range slices.SortedFunc(maps.Values(e.world.Orgs),
		func(a, b *organization) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) }) {
		if org.ID != p.OrgID {
			shown.Organizations = append(shown.Organizations, fact{ID: org.ID, Name: org.Name})
		}
	}
	if len(shown.Organizations) == 0 {
		shown.Reasons = []string{"There is no other organization here that could take it. POST /_emulator/organizations " +
			"makes one."}
		return shown, http.StatusOK
	}
	shown.Text, shown.Until = "Whoever has this link can take the project into an organization of theirs, once, until",
		wire.Seconds(request.ExpiresAt)
	shown.Button = "Accept"
	return shown, http.StatusOK
}

// submitTransferPage accepts the request for the organization that was chosen, and leads on to where the link says.
func (e *Emulator) submitTransferPage(w http.ResponseWriter, r *http.Request) {
	projectID, requestID := offered(r)
	var shown personPage
	_, _, err := e.changeAndKeep(&call{Request: r}, func(e *Emulator, c *call) (said reply, err error) {
		p, org := e.world.Projects[projectID], e.world.Orgs[r.PostFormValue("org_id")]
		if p == nil || org == nil {
			return reply{}, wire.NotFound("project or organization not found")
		}
		if said, err = e.accept(p, requestID, org, c.now); said.status == http.StatusNotAcceptable {
			for _, reason := range e.insufficient(p, org) {
				shown.Reasons = append(shown.Reasons, reason["message"])
			}
			return reply{}, wire.Refuse(said.status, "The plan of %s doesn't suffice for the project", org.Name)
		}
		shown.Title = p.Name + " is " + org.Name + "'s now"
		return said, err
	})
	next, parseErr := url.Parse(r.URL.Query().Get("ru"))
	switch {
	case err != nil:
		shown.Title = err.Error()
		writePage(w, wire.StatusOf(err), shown)
	case parseErr == nil && next.Scheme == "https" && next.Host != "":
		//nolint:gosec // Neon's page leads on to where the link says, too; the form was this browser's own.
		http.Redirect(w, r, next.String(), http.StatusSeeOther)
	default:
		writePage(w, http.StatusOK, shown)
	}
}
