# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Roles and Databases"

page "neon_database" {}
page "neon_databases" {}

resource "neon_database" {
  protects   = "database"
  identity   = ["project_id", "branch_id", "name"]
  found_by   = ["database_id", "project_id", "branch_id"]
  fixed      = ["id", "branch_id"]
  at         = "/projects/{project_id}/branches/{branch_id}/databases/{name}#database"
  local      = ["deletion_protection", "final_snapshot", "final_snapshot.name", "final_snapshot.expires_in"]
  unreturned = ["project_id"]
  timeouts   = ["create", "update", "delete"]

  needs {
    project_id = "$project"
    branch_id  = "$main"
    name       = "a"
    owner_name = "neondb_owner"
  }
  several { name = "shop$n" }

  calls {
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/databases/{database_name}"
    work   = ["apply_config"]
  }

  chaos {
    objects = "databases"
    called  = "database \"{name}\" on branch {branch_id}"
    becomes = ["name owner_name"]
    leaves  = "snapshots"
    sometimes { final_snapshot = { name = "last of shop$n" } }
    first = true
  }

  change "branch_id" { after = "$other_branch" }
  change "deletion_protection" { values = [true, false] }
  change "final_snapshot" { after = { name = "last" } }
  change "final_snapshot.name" { values = ["last", "very last"] }
  change "final_snapshot.expires_in" {
    before { final_snapshot = { name = "last" } }
    after { final_snapshot = { name = "last", expires_in = "720h" } }
  }
  change "name" { after = "b" }
  change "owner_name" { after = "somebody" }
  change "project_id" { after = "$other_project" }
}
