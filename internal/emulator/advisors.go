package emulator

import (
	"cmp"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var advisorRoutes = []route{{"GET " + projectPath + "/advisors", forProject, (*Emulator).listAdvisorIssues}}

type advisorIssue struct {
	Name        string            `json:"name"`
	Title       string            `json:"title"`
	Level       string            `json:"level"`
	Facing      string            `json:"facing"`
	Categories  []string          `json:"categories"`
	Description string            `json:"description"`
	Detail      string            `json:"detail"`
	Remediation string            `json:"remediation"`
	Metadata    map[string]string `json:"metadata"`
	CacheKey    string            `json:"cache_key"`
}

var severities = []string{"INFO", "WARN", "ERROR"}

// advisorIssues are what every database has: one issue of each category. The levels and categories are
// those of the description; which issues there are, nobody has published.
func advisorIssues(database string) []advisorIssue {
	return []advisorIssue{
		{
			Name: "rls_disabled_in_public", Title: "Row level security is off", Level: "ERROR", Facing: "EXTERNAL",
			Categories:  []string{"SECURITY"},
			Description: "A table that the Data API serves has no row level security.", Detail: "Table public.orders of " +
				"database " + database,
			Remediation: "ALTER TABLE public.orders ENABLE ROW LEVEL SECURITY",
			Metadata:    map[string]string{"schema": "public", "name": "orders"},
			CacheKey:    "rls_disabled_in_public_" + database + "_orders",
		},
		{
			Name: "unused_index", Title: "An index isn't used", Level: "INFO", Facing: "EXTERNAL",
			Categories:  []string{"PERFORMANCE"},
			Description: "An index has not been used yet.", Detail: "Index orders_paid_at of database " + database,
			Remediation: "DROP INDEX public.orders_paid_at",
			Metadata:    map[string]string{"schema": "public", "name": "orders_paid_at"},
			CacheKey:    "unused_index_" + database + "_orders_paid_at",
		},
	}
}

func (e *Emulator) listAdvisorIssues(c *call) (reply, error) {
	category := c.queryOneOf("category", "", "SECURITY", "PERFORMANCE")
	least := c.queryOneOf("min_severity", severities[0], severities...)
	database, err := c.advisedDatabase()
	if err != nil {
		return reply{}, err
	}
	found := slices.DeleteFunc(advisorIssues(database.Name), func(issue advisorIssue) bool {
		return category != "" && !slices.Contains(issue.Categories, category) ||
			slices.Index(severities, issue.Level) < slices.Index(severities, least)
	})
	return ok(map[string]any{"issues": found})
}

// advisedDatabase is the one that the query names, or the only one of its branch.
func (c *call) advisedDatabase() (*database, error) {
	id, _ := c.query("branch_id")
	b := c.project.Branches[cmp.Or(id, c.project.DefaultBranchID)]
	if b == nil || c.now.Before(b.AppearsAt) {
		return nil, wire.NotFound("branch not found")
	}
	name, given := c.query("database_name")
	if !given && len(b.Databases) != 1 {
		return nil, badQuery("database_name", "is needed, as the branch has several databases")
	}
	if !given {
		return b.Databases[0], nil
	}
	if found := b.database(name); found != nil {
		return found, nil
	}
	return nil, wire.NotFound("database not found")
}
