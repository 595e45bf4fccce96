package emulator

// preloadLibrary is one that PostgreSQL can load at its start.
type preloadLibrary struct {
	Name         string `json:"library_name"`
	Description  string `json:"description"`
	Default      bool   `json:"is_default"`
	Experimental bool   `json:"is_experimental"`
	Version      string `json:"version"`
}

var preloadLibraries = []preloadLibrary{
	{"anon", "Anonymization and data masking", false, true, "2.1.0"},
	{"neon", "Neon's own extension", true, false, "1.6"},
	{"pg_cron", "Scheduled jobs", false, false, "1.6"},
	{"pg_stat_statements", "Statistics about statements", true, false, "1.11"},
	{"timescaledb", "Time series", true, false, "2.17.1"},
}

// listPreloadLibraries answers GET /projects/{project_id}/available_preload_libraries.
func (e *Emulator) listPreloadLibraries(*call) (reply, error) {
	return ok(map[string]any{"libraries": preloadLibraries})
}
