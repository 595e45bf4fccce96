# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Storage and Functions"

page "neon_service_credential" {}
page "neon_service_credentials" {}
page "neon_service_credential_secret" {}
page "neon_rotate_service_credential" {}

resource "neon_service_credential" {
  identity   = ["project_id", "branch_id", "token_id"]
  fixed      = ["token_id", "revoked_at", "expires_at"]
  at         = "/projects/{project_id}/branches/{branch_id}/credentials#credentials.*"
  local      = ["rotation_triggers"]
  unreturned = ["project_id"]

  needs {
    project_id = "$project"
    branch_id  = "$main"
    scopes     = ["storage:read"]
  }
  whole {
    name              = "a"
    rotation_triggers = { a = "1" }
  }
  several { name = "app$n" }

  calls { single = "/api/v2/projects/{project_id}/branches/{branch_id}/credentials/{token_id}" }

  chaos {
    objects      = "service_credentials"
    called       = "service credential named \"{name}\" for branch {branch_id}"
    siblings     = true
    becomes      = ["rotation_triggers", "scopes"]
    differs      = { rotation_triggers = "rotations" }
    stays_behind = true
    ephemeral    = true
  }

  change "project_id" { after = "$other_project" }
  change "branch_id" { after = "$other_branch" }
  change "name" { after = "b" }
  change "scopes" { after = ["storage:write", "functions:invoke"] }
  change "rotation_triggers" { values = [{ a = "1" }, { a = "2" }] }
}
