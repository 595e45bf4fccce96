package chaos

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"time"
)

var (
	// refusals are the statuses of requests without an effect, failures those of
	// requests whose effect comes all the same.
	refusals = []int{500, 502, 503, 423, 429}
	failures = []int{500, 502, 504}
	// strangePages are bodies of a 404 that isn't the platform's.
	strangePages = []string{"<html><h1>404 Not Found</h1></html>", ""}
	// creations are the routes on which an effect may come late: the late effect of
	// a change could undo a later one, and nobody could prevent that.
	creations = []string{
		"POST /api/v2/projects", "POST /api/v2/projects/{project_id}/branches", "POST /api/v2/projects/{project_id}/endpoints",
		"POST /api/v2/projects/{project_id}/branches/{branch_id}/roles",
		"POST /api/v2/projects/{project_id}/branches/{branch_id}/databases",
		"POST /api/v2/projects/{project_id}/branches/{branch_id}/data-api/{database_name}", "POST /api/v2/projects/{project_id}/branches/{branch_id}/auth",
		"POST /api/v2/projects/{project_id}/permissions", "POST /api/v2/projects/{project_id}/jwks",
		"POST /api/v2/organizations/{org_id}/invitations", "POST /api/v2/projects/{project_id}/branches/{branch_id}/snapshot",
		"POST /api/v2/api_keys", "POST /api/v2/organizations/{org_id}/api_keys",
	}
)

// fault is one in the words of the emulator's control path.
type fault struct {
	Route       string  `json:"route"`
	Kind        string  `json:"kind"`
	Status      int     `json:"status,omitempty"`
	Body        *string `json:"body,omitempty"`
	Delay       string  `json:"delay,omitempty"`
	Probability float64 `json:"probability"`
	Seed        uint64  `json:"seed"`
	Hits        int     `json:"hits,omitempty"`
}

// mixture has each kind of fault met with the probability, on every route. The
// statuses share that of their kind. Where the platform has limits, it alone says when they are
// exceeded.
func mixture(random *rand.Rand, probability float64, isLimited bool) []fault {
	each := func(among int) float64 { return 1 - math.Pow(1-probability, 1/float64(among)) }
	faults := []fault{
		{Kind: "slow", Delay: "20ms", Probability: probability},
		{Kind: "lost_before", Probability: probability},
		{Kind: "lost_after", Probability: probability},
		{Kind: "cut_body", Probability: probability},
		{Kind: "hang", Delay: "200ms", Probability: probability / 8},
	}
	for _, status := range refusals {
		if isLimited && status == http.StatusTooManyRequests {
			continue
		}
		faults = append(faults, fault{Kind: "status", Status: status, Probability: each(len(refusals))})
	}
	for _, status := range failures {
		faults = append(faults, fault{Kind: "status_after", Status: status, Probability: each(len(failures)) / 2})
	}
	for _, status := range []int{http.StatusServiceUnavailable, http.StatusRequestTimeout} { // A proxy's own.
		page := "upstream connect error or disconnect/reset before headers"
		faults = append(faults, fault{Kind: "status_after", Status: status, Body: &page, Probability: probability / 4})
	}
	for _, page := range strangePages { // What meets one isn't sent again, so few of them are enough.
		faults = append(faults, fault{Kind: "status", Status: http.StatusNotFound, Body: &page, Probability: probability / 20})
	}
	for _, route := range creations {
		faults = append(faults, fault{Route: route, Kind: "late", Status: 504, Delay: "100ms", Probability: probability / 4})
	}
	for i := range faults {
		faults[i].Route, faults[i].Seed = cmp.Or(faults[i].Route, "*"), random.Uint64()>>1
	}
	// A request meets the first that it draws: none of the kinds comes first
	// everywhere.
	random.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	return faults
}

func (p *platform) addFaults(ctx context.Context, faults []fault) error {
	for _, f := range faults {
		if err := p.call(ctx, http.MethodPost, "/_emulator/faults", f, nil); err != nil {
			return err
		}
	}
	return nil
}

// endFaults removes all faults, and returns how many were met, by kind.
func (p *platform) endFaults(ctx context.Context) (map[string]int, error) {
	var now struct {
		Faults []fault `json:"faults"`
	}
	if err := p.call(ctx, http.MethodGet, "/_emulator/faults", nil, &now); err != nil {
		return nil, err
	}
	hits := map[string]int{}
	for _, f := range now.Faults {
		hits[f.Kind] += f.Hits
	}
	return hits, p.call(ctx, http.MethodDelete, "/_emulator/faults", nil, nil)
}

// ending is how an operation ends, in the words of the control path.
type ending struct {
	Action string `json:"action"`
	Status string `json:"status"`
	Error  string `json:"error"`
	Then   string `json:"then,omitempty"`
	After  string `json:"after,omitempty"`
	Count  int    `json:"count,omitempty"`
}

// endings are ways to end badly that are over soon: an operation that fails
// alone, and for good, is waited for until its grace period is over.
func endings() []ending {
	const message = "chaos"
	list := []ending{
		{Action: "create_branch", Status: "failed", Error: message},
		{Action: "suspend_compute", Status: "failed", Error: message, Then: "finished", After: "100ms"},
	}
	for _, action := range []string{"create_branch", "start_compute", "apply_config", "delete_timeline"} {
		list = append(list,
			ending{Action: action, Status: "cancelled", Error: message},
			ending{Action: action, Status: "failed", Error: message, Then: "finished", After: "100ms"})
	}
	return list
}

// spoil lets the next operation of some action end badly.
func (p *platform) spoil(ctx context.Context, random *rand.Rand) error {
	bad := endings()
	return p.call(ctx, http.MethodPost, "/_emulator/operations", bad[random.IntN(len(bad))], nil)
}

// failLate lets branches take a while and fail then, so that an interruption comes
// before the failure, which the next run has to learn of.
func (p *platform) failLate(ctx context.Context) error {
	return p.call(ctx, http.MethodPost, "/_emulator/operations",
		ending{Action: "create_branch", Status: "running", Error: "chaos", Then: "failed", After: "5s", Count: 2}, nil)
}

// disturb takes projects' locks, as maintenance does, until the context ends.
func (p *platform) disturb(ctx context.Context, random *rand.Rand, projects []project) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(200+random.IntN(400)) * time.Millisecond):
		}
		// A lock that can't be had now is asked for again soon.
		_ = p.call(ctx, http.MethodPost, "/_emulator/locks", map[string]string{
			"project_id": projects[random.IntN(len(projects))].id, "duration": "100ms",
		}, nil)
	}
}
