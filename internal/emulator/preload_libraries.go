package emulator

import "github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"

var libraryRoutes = []route{{"GET " + projectPath + "/available_preload_libraries", forProject,
	(*Emulator).listPreloadLibraries}}

// preloadLibrary is one that PostgreSQL can load at its start.
type preloadLibrary struct {
	Name         string `json:"library_name"`
	Description  string `json:"description"`
	Default      bool   `json:"is_default"`
	Experimental bool   `json:"is_experimental"`
	Version      string `json:"version"`
}

// preloadLibraries are those of PostgreSQL 17 in the sample of Neon's API reference. A name may
// be that of two.
var preloadLibraries = []preloadLibrary{
	{"timescaledb", "Time series", true, false, "2.17.1"},
	{"pg_cron", "Scheduled jobs", true, false, "1.6.4"},
	{"pg_partman_bgw", "Maintenance of partitions", true, false, "5.1.0"},
	{"rag_bge_small_en_v15,rag_jina_reranker_v1_tiny_en", "Models for pgrag", true, true, "0.0.0"},
	{"pgx_ulid", "ULIDs", false, false, "0.2.0"},
	{"pg_mooncake", "Tables by columns", false, false, "0.1.1"},
	{"anon", "Anonymization and data masking", false, false, "2.4.1"},
	{"lakebase_vector", "Vector indexes", false, false, "1.0.0-dev"},
	{"lakebase_text", "Full-text search", false, false, "0.1.0-dev"},
}

func (e *Emulator) listPreloadLibraries(*call) (reply, error) {
	shown := preloadLibraries
	if e.plays(doubts.PreloadLibraries, "few") {
		shown = shown[len(shown)-1:]
	}
	return ok(map[string]any{"libraries": shown})
}
