# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Roles and Databases"

page "neon_role" {}
page "neon_roles" {}
page "neon_role_password" {}
page "neon_reset_role_password" {}

resource "neon_role" {
  identity   = ["project_id", "branch_id", "name"]
  fixed      = ["name", "branch_id"]
  at         = "/projects/{project_id}/branches/{branch_id}/roles/{name}#role"
  local      = ["password_rotation_triggers"]
  unreturned = ["project_id"]
  timeouts   = ["create", "update", "delete"]

  needs {
    project_id = "$project"
    branch_id  = "$main"
    name       = "a"
  }
  whole {
    no_login                   = true
    password_rotation_triggers = { a = "1" }
  }
  several { name = "app$n" }

  calls {
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/roles/{role_name}"
    work   = ["apply_config"]
  }

  chaos {
    objects = "roles"
    called  = "role \"{name}\" on branch {branch_id}"
    often   = 2
    becomes = ["password_rotation_triggers", "no_login"]
    first   = true
  }

  change "branch_id" { after = "$other_branch" }
  change "name" { after = "b" }
  change "no_login" {
    before = false
    after  = true
    field  = "authentication_method"
    want   = "no_login"
  }
  change "password_rotation_triggers" { values = [{ a = "1" }, { a = "2" }] }
  change "project_id" { after = "$other_project" }
}
