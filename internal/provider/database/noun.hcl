# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Roles and Databases"
leads_to = ["role", "connectionuri"]

page "neon_database" {}

page "neon_databases" {}

resource "neon_database" {
  identity = ["project_id", "branch_id", "name"]
  at = "/projects/{project_id}/branches/{branch_id}/databases/{name}#database"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "a"
      owner_name = "neondb_owner"
    EOT
  whole = "timeouts = { create = \"5m\", update = \"5m\", delete = \"5m\" }"
  found_by = ["database_id", "project_id", "branch_id"]
  fixed = ["id", "branch_id"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "shop$n"
      owner_name = "neondb_owner"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/branches/{branch_id}/databases"
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/databases/{database_name}"
    work = ["apply_config"]
  }

  timeouts = ["create", "update", "delete"]

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "branch_id"
    want = "$other_branch"
  }

  change "deletion_protection" {
    before = "deletion_protection = true"
    after = "deletion_protection = false"
  }

  change "name" {
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "owner_name" {
    after = "owner_name = \"somebody\""
    field = "owner_name"
    want = "somebody"
  }

  change "project_id" {
    after = <<-EOT
      project_id = "$other_project"
      branch_id = "$other_main"
    EOT
    field = "branch_id"
    want = "$other_main"
  }
}
