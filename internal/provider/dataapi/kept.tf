resource "neon_data_api" "orders" {
  project_id    = neon_project.plain.id
  branch_id     = neon_branch.bare.id
  database_name = neon_database.orders.name
  auth_provider = "external"
  jwks_url      = "https://example.com/keys.json"
  provider_name = "Keys"
  settings      = { db_max_rows = 100 }
}
