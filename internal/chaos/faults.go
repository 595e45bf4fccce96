package chaos

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

var (
	// refusals are the statuses of requests without an effect, failures those of
	// requests whose effect comes all the same.
	refusals = []int{500, 502, 503, 423, 429}
	failures = []int{500, 502, 504}
	// strangePages are bodies of a 404 that isn't the platform's.
	strangePages = []string{"<html><h1>404 Not Found</h1></html>", ""}
	// lateDelays are by the world's clock, and longer than a lost creation is looked for.
	lateDelays = []string{"5s", "20s", "60s"}
)

// creations are the routes on which an effect may come late: the late effect of a change could undo a later one, and
// nobody could prevent that. Those of unmarked kinds aren't sent again, however late the effect comes; those of named
// ones are, and then meet it.
func creations() (unmarked, named []string) {
	for _, name := range slices.Sorted(maps.Keys(told())) {
		switch noun := told()[name]; {
		case noun.CreationRoute() == "":
		case noun.Chaos.Unique || noun.IsNamed():
			named = append(named, "POST "+noun.CreationRoute())
		default:
			unmarked = append(unmarked, "POST "+noun.CreationRoute())
		}
	}
	return unmarked, named
}

// outageTime is longer than a read is tried.
const outageTime = 30 * time.Second

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
		faults = append(faults, fault{Kind: "status", Status: http.StatusNotFound, Body: &page,
			Probability: probability / 20})
	}
	unmarked, named := creations()
	for _, route := range slices.Concat(unmarked, named) {
		faults = append(faults, fault{Route: route, Kind: "late", Status: 504, Delay: "100ms", Probability: probability / 8})
	}
	for i, route := range unmarked {
		faults = append(faults, fault{Route: route, Kind: "late", Status: 504, Delay: lateDelays[i%len(lateDelays)],
			Probability: probability / 8})
	}
	for _, route := range named { // At the latest when it is sent again.
		faults = append(faults, fault{Route: route, Kind: "late", Status: 504, Probability: probability / 8})
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

// endings are ways to end badly: at once, after another try, or with the grace period of what fails alone and for good.
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

// outages has lists be away until the context ends, one after the other, each for longer than a
// read of it is tried.
func (p *platform) outages(ctx context.Context, random *rand.Rand) {
	const project = "/api/v2/projects/{project_id}"
	lists := []string{
		project + "/operations", project + "/branches", project + "/branches/{branch_id}/buckets/{bucket_name}/objects",
		project + "/branches/{branch_id}/functions", project + "/branches/{branch_id}/functions/{slug}",
	}
	for _, name := range slices.Sorted(maps.Keys(told())) {
		if noun := told()[name]; noun.Calls != nil {
			lists = append(lists, noun.Calls.List)
		}
	}
	for {
		for _, place := range random.Perm(len(lists)) {
			var added struct {
				ID int `json:"id"`
			}
			outage := fault{Route: "GET " + lists[place], Kind: "status", Status: http.StatusServiceUnavailable, Probability: 1}
			if p.call(ctx, http.MethodPost, "/_emulator/faults", outage, &added) != nil || wait(ctx, outageTime) != nil ||
				p.call(ctx, http.MethodDelete, fmt.Sprintf("/_emulator/faults/%d", added.ID), nil, nil) != nil ||
				wait(ctx, outageTime) != nil {
				return
			}
		}
	}
}

func wait(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
	return ctx.Err()
}

// disturb takes projects' locks, as maintenance does, and for longer those of single branches, until
// the context ends.
func (p *platform) disturb(ctx context.Context, random *rand.Rand, projects []project) {
	for wait(ctx, time.Duration(200+random.IntN(400))*time.Millisecond) == nil {
		in := projects[random.IntN(len(projects))]
		lock := map[string]string{"project_id": in.id, "duration": "100ms"}
		if random.IntN(4) == 0 {
			lock["branch_id"], lock["duration"] = []string{in.origin, in.home, in.root}[random.IntN(3)], "1s"
		}
		_ = p.call(ctx, http.MethodPost, "/_emulator/locks", lock, nil)
	}
}
