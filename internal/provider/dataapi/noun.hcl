# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Applications"

page "neon_data_api" {}
page "neon_refresh_data_api_schema" {}

resource "neon_data_api" {
  identity   = ["project_id", "branch_id", "database_name"]
  listed_as  = "{database_name}"
  fixed      = []
  at         = "/projects/{project_id}/branches/{branch_id}/data-api/{database_name}#"
  unreturned = ["project_id", "branch_id", "database_name", "auth_provider", "jwks_url", "provider_name", "jwt_audience", "add_default_grants", "skip_auth_schema"]
  no_calls   = "TestAccDataAPI_lostAnswers"
  each       = ["GET /api/v2/projects/{project_id}/branches/{branch_id}/data-api/{database_name}"]
  together   = [["auth_provider", "jwks_url", "provider_name"]]

  needs {
    project_id    = "$project"
    branch_id     = "$main"
    database_name = "neondb"
  }
  whole {
    auth_provider      = "external"
    jwks_url           = "https://example.com/a.json"
    provider_name      = "a"
    jwt_audience       = "a"
    add_default_grants = true
    skip_auth_schema   = true
    settings           = { db_aggregates_enabled = false, db_anon_role = "a", db_extra_search_path = "a", db_max_rows = 1, db_schemas = ["a"], jwt_role_claim_key = "a", jwt_cache_max_lifetime = 1, openapi_mode = "a", server_cors_allowed_origins = "a", server_timing_enabled = true }
  }
  several { branch_id = "$branch" }

  chaos {
    objects  = "data_apis"
    creation = "/api/v2/projects/{project_id}/branches/{branch_id}/data-api/{database_name}"
    called   = "Data API \"{database_name}\" of branch {branch_id}"
    path     = "/projects/{project_id}/branches/{branch_id}/data-api/{database_name}"
    becomes  = ["settings.db_max_rows"]
    differs  = { "settings.db_max_rows" = "settings" }
  }

  change "project_id" { after = "$other_project" }
  change "branch_id" { after = "$root" }
  change "database_name" { after = "other" }
  change "auth_provider" {
    before {
      auth_provider = "neon_auth"
      jwks_url      = null
      provider_name = null
    }
    after = "external"
  }
  change "jwks_url" { values = ["https://example.com/a.json", "https://example.com/b.json"] }
  change "provider_name" { values = ["a", "b"] }
  change "jwt_audience" { values = ["a", "b"] }
  change "add_default_grants" { values = [false, true] }
  change "skip_auth_schema" { values = [false, true] }
  change "settings" { after = { db_max_rows = 5 } }
  change "settings.db_aggregates_enabled" { values = [true, false] }
  change "settings.db_anon_role" { values = ["a", "b"] }
  change "settings.db_extra_search_path" { values = ["a", "b"] }
  change "settings.db_max_rows" { values = [5, 6] }
  change "settings.db_schemas" { values = [["a"], ["b"]] }
  change "settings.jwt_role_claim_key" { values = ["a", "b"] }
  change "settings.jwt_cache_max_lifetime" { values = [5, 6] }
  change "settings.openapi_mode" { values = ["disabled", "ignore-privileges"] }
  change "settings.server_cors_allowed_origins" { values = ["a", "b"] }
  change "settings.server_timing_enabled" { values = [false, true] }
}
