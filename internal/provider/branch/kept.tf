resource "neon_branch" "dev" {
  project_id = neon_project.shop.id
  name       = "dev"
  protected  = true
  endpoints = {
    the_rw = { type = "read_write", autoscaling_limit_min_cu = 0.25, autoscaling_limit_max_cu = 1 }
    one    = { type = "read_only" }
    other  = { type = "read_only", suspend_timeout_seconds = 60 }
  }
  timeouts = { create = "5m", update = "5m", delete = "5m" }
}

resource "neon_branch" "schema" {
  project_id  = neon_project.shop.id
  parent_id   = neon_project.shop.default_branch.id
  name        = "schema"
  init_source = "schema-only"
}

resource "neon_branch" "bare" {
  project_id = neon_project.plain.id
  name       = "bare"
}

resource "neon_anonymized_branch" "masked" {
  project_id    = neon_project.plain.id
  name          = "masked"
  masking_rules = [{ database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email", masking_function = "anon.fake_email()" }]
  endpoint      = { suspend_timeout_seconds = 120 }
  timeouts      = { create = "5m", update = "5m", delete = "5m" }
}
