# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Project Access"

page "neon_project_permission" {}
page "neon_project_permissions" {}

resource "neon_project_permission" {
  identity   = ["project_id", "id"]
  listed_as  = "{email}"
  at         = "/projects/{project_id}/permissions#project_permissions.*"
  places     = { email = "granted_to_email" }
  unreturned = ["project_id"]
  goes_first = "it is granted again as it was"

  needs {
    project_id = "$project"
    email      = "anna@example.com"
  }
  several { email = "anna$n@example.com" }

  calls { single = "/api/v2/projects/{project_id}/permissions/{permission_id}" }

  chaos {
    objects = "permissions"
    called  = "permission of {email} for project {project_id}"
    unique  = true
    first   = true
  }

  change "email" { after = "bert@example.com" }
  change "project_id" { after = "$other_project" }
}
