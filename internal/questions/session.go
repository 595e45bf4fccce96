package questions

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Config says whom to ask.
type Config struct {
	// BaseURL is where the API is, without /api/v2.
	BaseURL string
	// APIKey is best a personal one of an organization's administrator: it can make others.
	APIKey string
	// OrgID is the organization to ask in; the key's only one by default.
	OrgID string
	// Paid allows questions that cost money on a paid plan.
	Paid bool
	// Kept remembers what must be deleted, for the case that a run can't; nowhere by default.
	Kept func(paths []string) error
	// HTTP, Now and Sleep are the surroundings; the real ones by default.
	HTTP  *http.Client
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// session is one run of questions.
type session struct {
	ctx    context.Context //nolint:containedctx // It is the question's, whose requests are sent through the session.
	config Config
	org    string
	plan   string
	// project, branch, endpoint and role are what questions share; empty before they are needed.
	project, branch, endpoint, role string
	// touched says that the question may have left something in the project.
	touched bool
	created int
	// left are the paths of what is to be deleted in the end.
	left []string
	// said are the refusals that the question met.
	said []string
}

func newSession(ctx context.Context, config Config) (*session, error) {
	config.HTTP = cmp.Or(config.HTTP, &http.Client{Timeout: time.Minute})
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Sleep == nil {
		config.Sleep = contextSleep
	}
	if config.Kept == nil {
		config.Kept = func([]string) error { return nil }
	}
	s := &session{ctx: ctx, config: config, org: config.OrgID}
	failure := s.attempt(func(a *asker) {
		if s.org == "" {
			all := a.get("/users/me/organizations")
			if ids := all.texts("organizations", "id"); len(ids) != 1 {
				giveUp("the key sees %d organizations: say by NEON_ORG_ID which one to ask in", len(ids))
			}
			s.org = all.text("organizations", 0, "id")
		}
		s.plan = a.get("/organizations/{o}").text("plan")
	})
	if failure != "" {
		return nil, fmt.Errorf("unable to ask %s: %s", config.BaseURL, s.mask(failure))
	}
	return s, nil
}

// attempt does something that may give up, and returns why it did; empty where it didn't.
func (s *session) attempt(do func(*asker)) (reason string) {
	defer func() {
		switch met := recover().(type) {
		case nil:
		case stop:
			reason = met.reason
		default:
			panic(met)
		}
	}()
	do(&asker{s, s.config.APIKey})
	return ""
}

// fill replaces what a path leaves open.
func (a *asker) fill(path string) string {
	path = strings.ReplaceAll(path, "{o}", a.org)
	if strings.Contains(path, "{") {
		a.needProject()
	}
	return strings.NewReplacer("{p}", a.project, "{b}", a.branch, "{e}", a.endpoint).Replace(path)
}

// needProject makes the project that questions share, unless it is there.
func (a *asker) needProject() {
	if a.project != "" {
		return
	}
	made := a.with(a.config.APIKey).newProject(object{})
	a.project, a.branch = made.text("project", "id"), made.text("branch", "id")
	a.endpoint, a.role = made.text("endpoints", 0, "id"), made.text("roles", 0, "name")
}

// newProject makes a project of the question's own.
func (a *asker) newProject(project object) reply {
	project["name"], project["org_id"] = a.newName(), a.org
	return a.must(http.MethodPost, "/projects", object{"project": project})
}

// newBranch makes a branch in the shared project, without a compute.
func (a *asker) newBranch(branch object, endpoints ...object) reply {
	if branch["name"] == nil {
		branch["name"] = a.newName()
	}
	body := object{"branch": branch}
	if len(endpoints) > 0 {
		body["endpoints"] = endpoints
	}
	return a.must(http.MethodPost, "/projects/{p}/branches", body)
}

// onNewBranch makes one, and returns the path of what is on it.
func (a *asker) onNewBranch(branch object, endpoints ...object) string {
	return "/projects/{p}/branches/" + a.newBranch(branch, endpoints...).text("branch", "id")
}

// newKey makes a key of the organization, for a project alone where one is named.
func (a *asker) newKey(projectID string) *asker {
	body := object{"key_name": a.newName()}
	if projectID != "" {
		body["project_id"] = a.fill(projectID)
	}
	return a.with(a.must(http.MethodPost, "/organizations/{o}/api_keys", body).text("key"))
}

func (a *asker) newName() string {
	a.created++
	return NamePrefix + strconv.Itoa(a.created)
}

// note remembers what an answer means: words of a refusal, and what was made outside of the
// shared project, or in it.
func (s *session) note(method, path string, r reply) {
	if r.status >= 300 {
		s.said = append(s.said, strings.TrimSpace(fmt.Sprintf("%s %q", r.coded(), r.text("message"))))
		return
	}
	s.touched = s.touched || method != http.MethodGet && s.project != "" && strings.HasPrefix(path, "/projects/"+s.project)
	switch id := r.text("id"); {
	case method == http.MethodPost && path == "/projects":
		s.keep("/projects/" + r.text("project", "id"))
	case method == http.MethodPost && strings.HasSuffix(path, "/api_keys"), method == http.MethodPost &&
		strings.HasSuffix(path, "/recover"):
		s.keep(strings.TrimSuffix(path, "/recover") + strings.TrimSuffix("/"+id, "/"))
	case method == http.MethodPost && strings.Contains(path, "/vpc/region/"):
		s.keep(path)
	case method == http.MethodDelete:
		s.forget(path)
	}
}
