package emulator

import (
	"net/http"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

// addClaimPage serves the web flow in which a user claims a database, at both of
// the addresses that Neon's clients hand out.
func (e *Emulator) addClaimPage() {
	about := func(r *http.Request) string { return r.PathValue("id") }
	for _, path := range []string{"/claim/{id}", "/database/{id}"} {
		e.addPersonForm(path, about, e.claimPage, e.submitClaimPage)
	}
	e.mux.HandleFunc("GET /claim", e.showCeremony)
	e.mux.HandleFunc("POST /claim", e.continueCeremony)
}

// claimPage says what the page of a database shows now.
func (e *Emulator) claimPage(r *http.Request) (personPage, int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.expire(e.now())
	c := e.world.Claimables[r.PathValue("id")]
	if c == nil {
		return personPage{Title: claimableMissing}, http.StatusNotFound
	}
	shown := personPage{
		Title: "This database has been claimed",
		Facts: []fact{{"database", "Database", c.ID}, {"project", "Project", c.ProjectID},
			{"referrer", "Referred by", c.Referrer}},
	}
	if c.Status != claimed {
		shown.Title, shown.Button, shown.Until = "Claim this database", "Claim", wire.Milliseconds(c.ExpiresAt)
		shown.Text = "Claimed, it moves into the organization " + e.world.Orgs[e.world.First.OrgID].Name + ". Unless it is " +
			"claimed, it expires at"
	}
	return shown, http.StatusOK
}

// submitClaimPage claims the database for whoever pressed the button.
func (e *Emulator) submitClaimPage(w http.ResponseWriter, r *http.Request) {
	var taken *claimable
	_, _, err := e.changeAndKeep(&call{Request: r}, func(e *Emulator, c *call) (said reply, err error) {
		taken, err = e.claimNow(c, r.PathValue("id"), claimed)
		return reply{status: http.StatusOK}, err
	})
	if err != nil {
		writePage(w, wire.StatusOf(err), personPage{Title: err.Error()})
		return
	}
	http.Redirect(w, r, "/claim/"+taken.ID, http.StatusSeeOther)
}

// claimNow moves a database on, while the call changes the world. Claimed, its project belongs to the organization of
// the first world.
func (e *Emulator) claimNow(c *call, id, status string) (*claimable, error) {
	found := e.world.Claimables[id]
	if found == nil {
		return nil, wire.NotFound(claimableMissing)
	}
	if e.plays(doubts.ClaimWindow, "24h") && c.now.After(found.CreatedAt.Add(24*time.Hour)) && found.Status == unclaimed {
		return nil, wire.Refuse(http.StatusGone, "The claim link has expired")
	}
	if found.Status == claimed {
		return found, nil
	}
	found.Status, found.UpdatedAt = status, c.now
	if p := e.world.Projects[found.ProjectID]; p != nil && status == claimed {
		e.adopt(p)
		if e.plays(doubts.ClaimableConnection, "rotated") {
			e.rotatePassword(p, c.now)
		}
	}
	return found, nil
}
