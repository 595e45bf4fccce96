package emulator

import (
	"cmp"
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var advisorRoutes = []route{{"GET " + projectPath + "/advisors", forProject, (*Emulator).listAdvisorIssues}}

var severities = []string{"INFO", "WARN", "ERROR"}

// advisorIssues are what every database has: one issue of each category. The levels and categories are
// those of the description; which issues there are, nobody has published.
func advisorIssues(database string) []object {
	return []object{
		{
			"name": "rls_disabled_in_public", "title": "Row level security is off", "level": "ERROR", "facing": "EXTERNAL",
			"categories": []string{"SECURITY"}, "description": "A table that the Data API serves has no row level security.",
			"detail":      "Table public.orders of database " + database,
			"remediation": "https://advice.example.com/rls_disabled_in_public",
			"metadata":    map[string]string{"schema": "public", "name": "orders"},
			"cache_key":   "rls_disabled_in_public_" + database + "_orders",
		},
		{
			"name": "unused_index", "title": "An index isn't used", "level": "INFO", "facing": "EXTERNAL",
			"categories": []string{"PERFORMANCE"}, "description": "An index has not been used yet.",
			"detail":      "Index orders_paid_at of database " + database,
			"remediation": "https://advice.example.com/unused_index",
			"metadata":    map[string]string{"schema": "public", "name": "orders_paid_at"},
			"cache_key":   "unused_index_" + database + "_orders_paid_at",
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
	found := slices.DeleteFunc(advisorIssues(database.Name), func(issue object) bool {
		categories, _ := issue["categories"].([]string)
		level, _ := issue["level"].(string)
		return category != "" && !slices.Contains(categories, category) ||
			slices.Index(severities, level) < slices.Index(severities, least)
	})
	return ok(map[string]any{"issues": found})
}

// advisedDatabase is the one that the query names, or the only one of its branch.
func (c *call) advisedDatabase() (*database, error) {
	b := c.project.Branches[cmp.Or(c.query("branch_id"), c.project.DefaultBranchID)]
	if b == nil || c.now.Before(b.AppearsAt) {
		return nil, errNoBranch()
	}
	name := c.query("database_name")
	found := b.database(name)
	switch {
	case name == "" && len(b.Databases) == 1:
		return b.Databases[0], nil
	case name == "":
		return nil, badQuery("database_name", "is needed, as the branch has several databases")
	case found == nil:
		return nil, wire.NotFound("database not found")
	}
	return found, nil
}
