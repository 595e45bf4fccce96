package emulator

import (
	"encoding/binary"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var consumptionRoutes = []route{
	{"GET " + apiRoot + "/consumption_history/v2/projects", forProjects, (*Emulator).projectConsumption},
	{"GET " + apiRoot + "/consumption_history/v2/branches", forProjects, (*Emulator).branchConsumption},
}

// granularity is what consumption is summed up by: months, or else a unit.
type granularity struct {
	unit   time.Duration
	months int
	// reach is how far before now the earliest moment is that can be asked for, beside years.
	reach time.Duration
	years int
}

var granularities = map[string]granularity{
	"hourly":  {unit: time.Hour, reach: 168 * time.Hour},
	"daily":   {unit: 24 * time.Hour, reach: 60 * 24 * time.Hour},
	"monthly": {months: 1, years: 1},
}

// start is when the hour, day or month of a moment begins.
func (g granularity) start(at time.Time) time.Time {
	if g.months > 0 {
		return time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC)
	}
	return at.Truncate(g.unit)
}

// next is when the one after it does.
func (g granularity) next(at time.Time) time.Time { return at.AddDate(0, g.months, 0).Add(g.unit) }

func (g granularity) oldest(now time.Time) time.Time {
	return now.AddDate(-g.years, 0, 0).Add(-g.reach)
}

const unusedMetric = "private_network_transfer_bytes"

var (
	branchMetrics = []string{
		"compute_unit_seconds", "root_branch_bytes_month", "child_branch_bytes_month", "instant_restore_bytes_month",
		"public_network_transfer_bytes", unusedMetric,
	}
	projectMetrics = append([]string{"extra_branches_month", "snapshot_storage_bytes_month"}, branchMetrics...)
)

// consumptionQuery is what both calls are asked for.
type consumptionQuery struct {
	granularity

	from, to              time.Time
	metrics               []string
	projectIDs, branchIDs []string
	limit                 int
	cursor                string
	plan                  string
	// since is when the organization's first period began.
	since time.Time
}

// queryList reads a parameter that is repeated, or whose values have commas between them.
func (c *call) queryList(name string) []string {
	var values []string
	for _, given := range c.URL.Query()[name] {
		for value := range strings.SplitSeq(given, ",") {
			if value != "" {
				values = append(values, value)
			}
		}
	}
	return values
}

// consumptionQuery reads the parameters, of which metrics may be those that are allowed.
func (e *Emulator) consumptionQuery(c *call, allowed []string, limit, mostLimit int) (q consumptionQuery, err error) {
	if err := c.consumptionOrganization(e); err != nil {
		return q, err
	}
	for _, name := range []string{"from", "to", "granularity", "metrics"} {
		c.requireQuery(name)
	}
	q.from, q.to, q.metrics = c.queryTime("from"), c.queryTime("to"), c.queryList("metrics")
	q.granularity = granularities[c.queryOneOf("granularity", "", "hourly", "daily", "monthly")]
	isUnknown := func(metric string) bool { return !slices.Contains(allowed, metric) }
	if len(q.metrics) == 0 || slices.ContainsFunc(q.metrics, isUnknown) {
		c.refuseQuery("metrics", "must be of "+strings.Join(allowed, ", "))
	}
	q.limit = c.queryInt("limit", limit, 1, mostLimit)
	q.projectIDs, q.branchIDs = c.queryList("project_ids"), c.queryList("branch_ids")
	if len(q.projectIDs) > 100 || len(q.branchIDs) > 100 {
		c.refuseQuery("project_ids", "must have at most 100 ids, as branch_ids")
	}
	q.cursor = c.query("cursor")
	q.plan, q.since = e.planOf(c.org).name, c.org.CreatedAt.UTC().Truncate(time.Second)
	if c.queryRefusal != nil {
		return q, c.queryRefusal
	}
	err = q.checkWindow(c.now)
	return q, err
}

// consumptionOrganization finds the organization, whose plan must have such a history.
func (c *call) consumptionOrganization(e *Emulator) error {
	c.requireQuery("org_id")
	if err := e.findOrganization(c, c.queryMatching("org_id", wire.IDPattern)); err != nil {
		return err
	}
	if e.planOf(c.org).rank == 0 {
		return wire.Refuse(http.StatusForbidden, "consumption history is not available for this account")
	}
	return nil
}

// checkWindow refuses a time that doesn't go with the granularity, and rounds it.
func (q *consumptionQuery) checkWindow(now time.Time) error {
	q.from, q.to = q.start(q.from), q.start(q.to)
	if q.from.After(q.to) || q.from.Before(q.start(q.oldest(now))) {
		return wire.Refuse(http.StatusNotAcceptable, "the requested time range is not valid for the granularity")
	}
	return nil
}

// periodOf is when the month of a moment began for which there is a bill: with the day and the time of day at which the
// organization was created.
func (q consumptionQuery) periodOf(at time.Time) time.Time {
	day := min(q.since.Day(), 28) // which every month has
	clock := q.since.Sub(q.since.Truncate(24 * time.Hour))
	began := time.Date(at.Year(), at.Month(), day, 0, 0, 0, 0, time.UTC).Add(clock)
	if began.After(at) {
		return began.AddDate(0, -1, 0)
	}
	return began
}

// periodID is the same in every answer.
func periodID(month time.Time) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:], uint64(month.UnixMilli())<<16) // No month is before 1970.
	return wire.FormatUUID(id, 7)
}

// periods are what something of an age has used, by the months for which there is a bill. Nothing here is measured: of
// each metric it is one for each second, but nothing by private networks, of which answers say nothing.
func (q consumptionQuery) periods(created, now time.Time) []object {
	var months []time.Time
	used := map[time.Time][]object{}
	for at := q.from; at.Before(q.to) && at.Before(now); at = q.next(at) {
		end := q.next(at)
		if !end.After(created) {
			continue
		}
		metrics := []object{}
		for _, metric := range q.metrics {
			if metric != unusedMetric {
				metrics = append(metrics, object{"metric_name": metric, "value": int64(end.Sub(at).Seconds())})
			}
		}
		began := q.periodOf(at)
		if used[began] == nil {
			months = append(months, began)
		}
		used[began] = append(used[began], object{"timeframe_start": wire.Seconds(at), "timeframe_end": wire.Seconds(end),
			"metrics": metrics})
	}
	return viewsOf(months, func(began time.Time) object {
		period := object{"period_id": periodID(began), "period_plan": q.plan, "period_start": wire.Seconds(began),
			"consumption": used[began]}
		if over := began.AddDate(0, 1, 0); !over.After(now) {
			period["period_end"] = wire.Seconds(over)
		}
		return period
	})
}

// consumer is a project, or a branch of it.
type consumer struct {
	projectID, branchID string
	created             time.Time
}

func (of consumer) cursor() string { return of.projectID + of.branchID }

// page answers with a page of projects or branches, in the order in which they come.
func (q consumptionQuery) page(name string, all []consumer, now time.Time) (reply, error) {
	if q.cursor != "" {
		at := slices.IndexFunc(all, func(of consumer) bool { return of.cursor() == q.cursor })
		if at < 0 { // The first page again would have a client go round for ever.
			return reply{}, badQuery("cursor", "must be a cursor of an earlier answer")
		}
		all = all[at+1:]
	}
	shown := all[:min(q.limit, len(all))]
	answer := object{name: viewsOf(shown, func(of consumer) object {
		return unlessEmpty(object{"project_id": of.projectID, "branch_id": of.branchID,
			"periods": q.periods(of.created, now)}, "branch_id")
	})}
	if len(shown) < len(all) {
		answer["pagination"] = map[string]string{"cursor": shown[len(shown)-1].cursor()}
	}
	return ok(answer)
}

// consumingProjects are those of the organization that are asked for, newest first.
func (e *Emulator) consumingProjects(c *call, q consumptionQuery) []*project {
	all := e.world.sortedProjects()
	slices.Reverse(all)
	return slices.DeleteFunc(all, func(p *project) bool {
		return p.OrgID != c.org.ID || len(q.projectIDs) > 0 && !slices.Contains(q.projectIDs, p.ID)
	})
}

func (e *Emulator) projectConsumption(c *call) (reply, error) {
	q, err := e.consumptionQuery(c, projectMetrics, 10, 100)
	if err != nil {
		return reply{}, err
	}
	return q.page("projects", viewsOf(e.consumingProjects(c, q), func(p *project) consumer {
		return consumer{projectID: p.ID, created: p.CreatedAt}
	}), c.now)
}

func (e *Emulator) branchConsumption(c *call) (reply, error) {
	q, err := e.consumptionQuery(c, branchMetrics, 100, 1000)
	if err == nil && len(q.projectIDs) == 0 {
		err = badQuery("project_ids", "field required")
	}
	if err != nil {
		return reply{}, err
	}
	projects, all := e.consumingProjects(c, q), []consumer(nil)
	slices.SortFunc(projects, func(a, b *project) int { return strings.Compare(a.ID, b.ID) })
	for _, p := range projects {
		for _, id := range slices.Sorted(maps.Keys(p.Branches)) {
			if len(q.branchIDs) == 0 || slices.Contains(q.branchIDs, id) {
				all = append(all, consumer{p.ID, id, p.Branches[id].CreatedAt})
			}
		}
	}
	return q.page("branches", all, c.now)
}
