resource "neon_database" "orders" {
  project_id          = neon_project.plain.id
  branch_id           = neon_branch.bare.id
  name                = "orders"
  owner_name          = neon_role.reader.name
  deletion_protection = true
  timeouts            = { create = "5m", update = "5m", delete = "5m" }
}
