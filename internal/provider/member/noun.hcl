# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Project Access"
leads_to = ["organization", "permission", "invitation"]

page "neon_project_member_role" {}

page "neon_project_members" {}

page "neon_org_member_role" {
  group = "Organizations"
  keys = {
    "Resource" = "Needs a personal API key or one of the organization. A personal one must be an administrator's."
    "List Resource" = "Needs a personal API key or one of the organization."
  }
}

resource "neon_project_member_role" {
  identity = ["project_id", "member_id"]
  no_calls = "the tests of its folder let its calls fail"
  at = "/projects/{project_id}/members#project_members.*"
  needs = <<-EOT
      project_id = "$project"
      member_id = "$max"
      role = "viewer"
    EOT
  whole = "confirm_self_demotion = true"
  found_by = ["project_id", "member_id"]
  fixed = ["member_id"]
  several = <<-EOT
      project_id = "$project"
      member_id = "$member"
      role = "editor"
    EOT

  change "confirm_self_demotion" {
    after = "confirm_self_demotion = true"
  }

  change "member_id" {
    after = "member_id = \"$eve\""
    field = "explicit_project_permission"
    want = "VIEWER"
  }

  change "project_id" {
    after = "project_id = \"$other_project\""
    field = "explicit_project_permission"
    want = "VIEWER"
  }

  change "role" {
    after = "role = \"editor\""
    field = "explicit_project_permission"
    want = "EDITOR"
  }
}

resource "neon_org_member_role" {
  identity = ["org_id", "member_id"]
  no_calls = "the tests of its folder let its calls fail"
  at = ""
  needs = <<-EOT
      member_id = "$max"
      role = "viewer"
    EOT
  whole = ""
  found_by = ["org_id", "member_id"]
  fixed = ["id"]
  several = <<-EOT
      member_id = "$member"
      role = "editor"
    EOT

  change "email" {
    before = <<-EOT
      member_id = null
      email = "max@example.com"
    EOT
    after = <<-EOT
      member_id = null
      email = "eve@example.com"
    EOT
    field = "/organizations/{org_id}/members/{member_id}#id"
    want = "$eve"
  }

  change "member_id" {
    after = "member_id = \"$eve\""
    field = "/organizations/{org_id}/members/{member_id}#id"
    want = "$eve"
  }

  change "org_id" {
    after = <<-EOT
      org_id = "$other_org"
      member_id = null
      email = "ada@example.com"
      role = "admin"
    EOT
    field = "/organizations/{org_id}/members/{member_id}#org_id"
    want = "$other_org"
  }

  change "role" {
    after = "role = \"editor\""
    field = "/organizations/{org_id}/members/{member_id}#role"
    want = "editor"
  }
}
