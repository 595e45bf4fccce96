# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Organizations"

page "neon_org_invitation" {
  keys = {
    "Resource"      = "Needs a personal API key of an administrator of the organization."
    "List Resource" = "Needs a personal API key or one of the organization."
  }
}
page "neon_org_invitations" {
  key = "Needs a personal API key or one of the organization."
}

resource "neon_org_invitation" {
  identity   = ["org_id", "id"]
  listed_as  = "{email}"
  unmoved    = true
  at         = "/organizations/{org_id}/invitations#invitations.*"
  no_calls   = "TestAccOrgInvitation_lostAnswers"
  goes_first = "it is sent again as it was"

  needs {
    email = "a@example.com"
    role  = "viewer"
  }
  several { email = "new$n@example.com" }

  chaos {
    objects  = "invitations"
    creation = "/api/v2/organizations/{org_id}/invitations"
    called   = "invitation of {email} to organization {org_id}"
    stays    = true
    becomes  = ["role"]
    differs  = { role = "role" } # Neon may call an editor otherwise.
    first    = true
  }

  change "email" { after = "b@example.com" }
  change "org_id" { after = "$other_org" }
  change "role" { after = "editor" }
}
