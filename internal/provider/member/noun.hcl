# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Project Access"

page "neon_project_member_role" {}
page "neon_project_members" {}
page "neon_org_member_role" {
  group = "Organizations"
  keys = {
    "Resource"      = "Needs a personal API key or one of the organization. A personal one must be an administrator's."
    "List Resource" = "Needs a personal API key or one of the organization."
  }
}

resource "neon_project_member_role" {
  identity  = ["project_id", "member_id"]
  listed_as = "{email} ({role})"
  found_by  = ["project_id", "member_id"]
  fixed     = ["member_id"]
  at        = "/projects/{project_id}/members#project_members.*"
  local     = ["confirm_self_demotion"]
  no_calls  = "TestAccProjectMemberRole_lostAnswers"

  needs {
    project_id = "$project"
    member_id  = "$max"
    role       = "viewer"
  }
  whole { confirm_self_demotion = true }
  several {
    member_id = "$member"
    role      = "editor"
  }

  chaos {
    objects = "member_roles"
    called  = "role {role} of member {member_id} in project {project_id}"
    path    = "/projects/{project_id}/members/{member_id}/role"
    becomes = ["role"]
    first   = true
  }

  change "confirm_self_demotion" { after = true }
  change "member_id" {
    after = "$eve"
    field = "explicit_project_permission"
    want  = "VIEWER"
  }
  change "project_id" {
    after = "$other_project"
    field = "explicit_project_permission"
    want  = "VIEWER"
  }
  change "role" {
    after = "editor"
    field = "explicit_project_permission"
    want  = "EDITOR"
  }
}

resource "neon_org_member_role" {
  identity  = ["org_id", "member_id"]
  listed_as = "{email} ({role})"
  found_by  = ["org_id", "member_id"]
  no_calls  = "TestAccOrgMemberRole_lostAnswers"

  needs {
    member_id = "$max"
    role      = "viewer"
  }
  several {
    member_id = "$member"
    role      = "editor"
  }

  chaos {
    objects = "members"
    stays   = true
    becomes = ["role"]
    differs = { role = "role" } # Neon may call an editor otherwise.
    sometimes {
      member_id = null
      email     = "$email"
    }
    first = true
  }

  change "email" {
    before {
      member_id = null
      email     = "max@example.com"
    }
    after {
      member_id = null
      email     = "eve@example.com"
    }
    field = "/organizations/{org_id}/members/{member_id}#id"
    want  = "$eve"
  }
  change "member_id" {
    after = "$eve"
    field = "/organizations/{org_id}/members/{member_id}#id"
  }
  change "org_id" {
    after {
      org_id    = "$other_org"
      member_id = null
      email     = "ada@example.com"
      role      = "admin"
    }
    field = "/organizations/{org_id}/members/{member_id}#org_id"
  }
  change "role" {
    after = "editor"
    field = "/organizations/{org_id}/members/{member_id}#role"
  }
}
