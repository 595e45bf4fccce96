# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Project Access"
leads_to = ["role"]

page "neon_jwks_url" {}

page "neon_jwks_urls" {}

resource "neon_jwks_url" {
  identity = ["project_id", "id"]
  at = "/projects/{project_id}/jwks#jwks.*"
  needs = <<-EOT
      project_id = "$project"
      jwks_url = "https://example.com/a.json"
      provider_name = "a"
    EOT
  whole = <<-EOT
      branch_id = "$main"
      jwt_audience = "a"
      role_names = ["a"]
      timeouts = { create = "5m" }
    EOT
  found_by = ["id", "project_id"]
  fixed = ["id"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      jwks_url = "https://example.com/jwks$n.json"
      provider_name = "n"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/jwks"
    single = "/api/v2/projects/{project_id}/jwks/{jwks_id}"
    work = ["apply_config"]
  }

  timeouts = ["create"]

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "branch_id"
    want = "$other_branch"
  }

  change "jwks_url" {
    after = "jwks_url = \"https://example.com/b.json\""
    field = "jwks_url"
    want = "https://example.com/b.json"
  }

  change "jwt_audience" {
    after = "jwt_audience = \"a\""
    field = "jwt_audience"
    want = "a"
  }

  change "project_id" {
    after = "project_id = \"$other_project\""
    field = "project_id"
    want = "$other_project"
  }

  change "provider_name" {
    after = "provider_name = \"b\""
    field = "provider_name"
    want = "b"
  }

  change "role_names" {
    before = "role_names = [\"a\"]"
    after = "role_names = [\"b\"]"
    field = "role_names"
    want = "[b]"
  }
}
