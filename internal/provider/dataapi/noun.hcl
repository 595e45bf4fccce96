# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Applications"
leads_to = ["database"]

page "neon_data_api" {}

page "neon_refresh_data_api_schema" {}

resource "neon_data_api" {
  identity = ["project_id", "branch_id", "database_name"]
  no_calls = "the tests of its folder let its calls fail"
  each = ["GET /api/v2/projects/{project_id}/branches/{branch_id}/data-api/{database_name}"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$branch"
      database_name = "neondb"
    EOT
  at = "/projects/{project_id}/branches/{branch_id}/data-api/{database_name}#"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      database_name = "neondb"
    EOT
  whole = <<-EOT
      auth_provider = "external"
      jwks_url = "https://example.com/a.json"
      provider_name = "a"
      jwt_audience = "a"
      add_default_grants = true
      skip_auth_schema = true
      settings = { db_aggregates_enabled = false, db_anon_role = "a", db_extra_search_path = "a", db_max_rows = 1, db_schemas = ["a"], jwt_role_claim_key = "a", jwt_cache_max_lifetime = 1, openapi_mode = "a", server_cors_allowed_origins = "a", server_timing_enabled = true }
    EOT
  found_by = ["id", "project_id", "branch_id", "database_name"]

  change "project_id" {
    after = <<-EOT
      project_id = "$other_project"
      branch_id = "$other_main"
    EOT
    field = "status"
    want = "active"
  }

  change "branch_id" {
    after = "branch_id = \"$root\""
    field = "status"
    want = "active"
  }

  change "database_name" {
    after = "database_name = \"other\""
    field = "status"
    want = "active"
  }

  change "auth_provider" {
    before = "auth_provider = \"neon_auth\""
    after = <<-EOT
      auth_provider = "external"
      jwks_url = "https://example.com/a.json"
    EOT
    field = "status"
    want = "active"
  }

  change "jwks_url" {
    before = <<-EOT
      auth_provider = "external"
      jwks_url = "https://example.com/a.json"
    EOT
    after = <<-EOT
      auth_provider = "external"
      jwks_url = "https://example.com/b.json"
    EOT
    field = "status"
    want = "active"
  }

  change "provider_name" {
    before = <<-EOT
      auth_provider = "external"
      jwks_url = "https://example.com/a.json"
      provider_name = "a"
    EOT
    after = <<-EOT
      auth_provider = "external"
      jwks_url = "https://example.com/a.json"
      provider_name = "b"
    EOT
    field = "status"
    want = "active"
  }

  change "jwt_audience" {
    before = "jwt_audience = \"a\""
    after = "jwt_audience = \"b\""
    field = "status"
    want = "active"
  }

  change "add_default_grants" {
    before = "add_default_grants = false"
    after = "add_default_grants = true"
    field = "status"
    want = "active"
  }

  change "skip_auth_schema" {
    before = "skip_auth_schema = false"
    after = "skip_auth_schema = true"
    field = "status"
    want = "active"
  }

  change "settings" {
    after = "settings = { db_max_rows = 5 }"
    field = "settings.db_max_rows"
    want = "5"
  }

  change "settings.db_aggregates_enabled" {
    before = "settings = { db_aggregates_enabled = true }"
    after = "settings = { db_aggregates_enabled = false }"
    field = "settings.db_aggregates_enabled"
    want = "false"
  }

  change "settings.db_anon_role" {
    before = "settings = { db_anon_role = \"a\" }"
    after = "settings = { db_anon_role = \"b\" }"
    field = "settings.db_anon_role"
    want = "b"
  }

  change "settings.db_extra_search_path" {
    before = "settings = { db_extra_search_path = \"a\" }"
    after = "settings = { db_extra_search_path = \"b\" }"
    field = "settings.db_extra_search_path"
    want = "b"
  }

  change "settings.db_max_rows" {
    before = "settings = { db_max_rows = 5 }"
    after = "settings = { db_max_rows = 6 }"
    field = "settings.db_max_rows"
    want = "6"
  }

  change "settings.db_schemas" {
    before = "settings = { db_schemas = [\"a\"] }"
    after = "settings = { db_schemas = [\"b\"] }"
    field = "settings.db_schemas"
    want = "[b]"
  }

  change "settings.jwt_role_claim_key" {
    before = "settings = { jwt_role_claim_key = \"a\" }"
    after = "settings = { jwt_role_claim_key = \"b\" }"
    field = "settings.jwt_role_claim_key"
    want = "b"
  }

  change "settings.jwt_cache_max_lifetime" {
    before = "settings = { jwt_cache_max_lifetime = 5 }"
    after = "settings = { jwt_cache_max_lifetime = 6 }"
    field = "settings.jwt_cache_max_lifetime"
    want = "6"
  }

  change "settings.openapi_mode" {
    before = "settings = { openapi_mode = \"disabled\" }"
    after = "settings = { openapi_mode = \"ignore-privileges\" }"
    field = "settings.openapi_mode"
    want = "ignore-privileges"
  }

  change "settings.server_cors_allowed_origins" {
    before = "settings = { server_cors_allowed_origins = \"a\" }"
    after = "settings = { server_cors_allowed_origins = \"b\" }"
    field = "settings.server_cors_allowed_origins"
    want = "b"
  }

  change "settings.server_timing_enabled" {
    before = "settings = { server_timing_enabled = false }"
    after = "settings = { server_timing_enabled = true }"
    field = "settings.server_timing_enabled"
    want = "true"
  }
}
