# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Organizations"
leads_to = ["member", "organization"]

page "neon_org_invitation" {
  keys = {
    "Resource" = "Needs a personal API key of an administrator of the organization."
    "List Resource" = "Needs a personal API key or one of the organization."
  }
}

page "neon_org_invitations" {
  key = "Needs a personal API key or one of the organization."
}

resource "neon_org_invitation" {
  identity = ["org_id", "id"]
  unmoved = true
  no_calls = "the tests of its folder let its calls fail"
  at = "/organizations/{org_id}/invitations#invitations.*"
  needs = <<-EOT
      email = "a@example.com"
      role = "viewer"
    EOT
  whole = ""
  found_by = ["org_id", "id"]
  fixed = ["id"]
  several = <<-EOT
      email = "new$n@example.com"
      role = "viewer"
    EOT

  change "email" {
    after = "email = \"b@example.com\""
    field = "email"
    want = "b@example.com"
  }

  change "org_id" {
    after = "org_id = \"$other_org\""
    field = "org_id"
    want = "$other_org"
  }

  change "role" {
    after = "role = \"editor\""
    field = "role"
    want = "editor"
  }
}
