# What tests and pages need to know of this noun: internal/nouns reads it.
group = "API Keys"

page "neon_api_key" {
  key = "Needs a personal API key."
}
page "neon_api_keys" {
  key = "Needs a personal API key."
}
page "neon_org_api_key" {
  keys = {
    "Resource"           = "Needs a personal API key, of an administrator of the organization unless `project_id` is set."
    "Ephemeral Resource" = "Needs a personal API key of an administrator of the organization."
    "List Resource"      = "Needs a personal API key or one of the organization."
  }
}
page "neon_org_api_keys" {
  key = "Needs a personal API key or one of the organization."
}

resource "neon_api_key" {
  identity = ["id"]
  found_by = ["id", "created_by"]
  at       = "/api_keys#*"
  local    = ["rotation_triggers"]
  no_calls = "TestAccAPIKey_lostAnswerIsMadeUpFor"
  few      = "one list returns all keys, of which the benchmarks count the requests"

  needs { name = "a" }
  whole { rotation_triggers = { a = "1" } }
  several { name = "app$n" }

  chaos {
    objects   = "api_keys"
    creation  = "/api/v2/api_keys"
    called    = "API key named \"{name}\""
    path      = "/api_keys/{id}"
    often     = 2
    siblings  = true
    alike     = true
    becomes   = ["rotation_triggers"]
    ephemeral = true
    first     = true
  }

  change "name" { after = "b" }
  change "rotation_triggers" { values = [{ a = "1" }, { a = "2" }] }
}

resource "neon_org_api_key" {
  identity   = ["org_id", "id"]
  found_by   = ["id", "org_id", "project_id", "created_by"]
  fixed      = ["id", "project_id"]
  at         = "/organizations/{org_id}/api_keys#*"
  local      = ["rotation_triggers"]
  unreturned = ["org_id"]
  no_calls   = "TestAccAPIKey_lostAnswerIsMadeUpFor"
  few        = "one list returns all keys, of which the benchmarks count the requests"

  needs { name = "a" }
  whole {
    rotation_triggers = { a = "1" }
    project_id        = "$project"
  }
  several { name = "app$n" }

  chaos {
    objects   = "api_keys"
    creation  = "/api/v2/organizations/{org_id}/api_keys"
    called    = "API key named \"{name}\""
    path      = "/organizations/{org_id}/api_keys/{id}"
    siblings  = true
    alike     = true
    becomes   = ["rotation_triggers"]
    ephemeral = true
    sometimes { project_id = "$project" }
    first = true
  }

  change "name" { after = "b" }
  change "org_id" { after = "$other_org" }
  change "project_id" { after = "$project" }
  change "rotation_triggers" { values = [{ a = "1" }, { a = "2" }] }
}
