# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Project Access"

page "neon_jwks_url" {}
page "neon_jwks_urls" {}

resource "neon_jwks_url" {
  identity  = ["project_id", "id"]
  listed_as = "{jwks_url}"
  at        = "/projects/{project_id}/jwks#jwks.*"
  timeouts  = ["create"]

  needs {
    project_id    = "$project"
    jwks_url      = "https://example.com/a.json"
    provider_name = "a"
  }
  whole {
    branch_id    = "$main"
    jwt_audience = "a"
    role_names   = ["a"]
  }
  several {
    branch_id     = "$main"
    jwks_url      = "https://example.com/jwks$n.json"
    provider_name = "app$n"
  }

  calls {
    single = "/api/v2/projects/{project_id}/jwks/{jwks_id}"
    work   = ["apply_config"]
  }

  chaos {
    objects  = "jwks"
    called   = "JWKS URL {jwks_url} of project {project_id}"
    siblings = true
    becomes  = ["provider_name"]
    single   = "jwks-second=refused"
    first    = true
  }

  change "branch_id" { after = "$other_branch" }
  change "jwks_url" { after = "https://example.com/b.json" }
  change "jwt_audience" { after = "a" }
  change "project_id" { after = "$other_project" }
  change "provider_name" { after = "b" }
  change "role_names" { values = [["a"], ["b"]] }
}
