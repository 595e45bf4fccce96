# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Roles and Databases"
leads_to = ["database", "connectionuri"]

page "neon_role" {}

page "neon_roles" {}

page "neon_role_password" {}

page "neon_reset_role_password" {}

resource "neon_role" {
  identity = ["project_id", "branch_id", "name"]
  at = "/projects/{project_id}/branches/{branch_id}/roles/{name}#role"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "a"
    EOT
  whole = <<-EOT
      no_login = true
      password_rotation_triggers = { a = "1" }
      timeouts = { create = "5m", update = "5m", delete = "5m" }
    EOT
  found_by = ["id", "project_id", "branch_id", "name"]
  fixed = ["name", "branch_id"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "app$n"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/branches/{branch_id}/roles"
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/roles/{role_name}"
    work = ["apply_config"]
  }

  timeouts = ["create", "update", "delete"]

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "branch_id"
    want = "$other_branch"
  }

  change "name" {
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "no_login" {
    after = "no_login = true"
    field = "authentication_method"
    want = "no_login"
  }

  change "password_rotation_triggers" {
    before = "password_rotation_triggers = { a = \"1\" }"
    after = "password_rotation_triggers = { a = \"2\" }"
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
