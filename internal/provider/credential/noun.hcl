# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Storage and Functions"
leads_to = ["bucket", "neonfunction"]

page "neon_service_credential" {}

page "neon_service_credentials" {}

page "neon_service_credential_secret" {}

page "neon_rotate_service_credential" {}

resource "neon_service_credential" {
  identity = ["project_id", "branch_id", "token_id"]
  at = "/projects/{project_id}/branches/{branch_id}/credentials#credentials.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      scopes = ["storage:read"]
    EOT
  whole = <<-EOT
      name = "a"
      rotation_triggers = { a = "1" }
    EOT
  found_by = ["id", "project_id", "branch_id", "token_id"]
  fixed = ["token_id", "revoked_at", "expires_at"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "app$n"
      scopes = ["storage:read"]
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/branches/{branch_id}/credentials"
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/credentials/{token_id}"
  }

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$other_main\""
    field = "scopes"
    want = "[storage:read]"
  }

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

  change "scopes" {
    after = "scopes = [\"storage:write\", \"functions:invoke\"]"
    field = "scopes"
    want = "[functions:invoke storage:write]"
  }

  change "rotation_triggers" {
    before = "rotation_triggers = { a = \"1\" }"
    after = "rotation_triggers = { a = \"2\" }"
    field = "principal_type"
    want = "user"
  }
}
