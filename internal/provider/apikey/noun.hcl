# What tests and pages need to know of this noun: internal/nouns reads it.
group = "API Keys"
leads_to = ["user"]

page "neon_api_key" {
  key = "Needs a personal API key."
}

page "neon_api_keys" {
  key = "Needs a personal API key."
}

page "neon_org_api_key" {
  keys = {
    "Resource" = "Needs a personal API key, of an administrator of the organization unless `project_id` is set."
    "Ephemeral Resource" = "Needs a personal API key of an administrator of the organization."
    "List Resource" = "Needs a personal API key or one of the organization."
  }
}

page "neon_org_api_keys" {
  key = "Needs a personal API key or one of the organization."
}

resource "neon_api_key" {
  identity = ["id"]
  no_calls = "the tests of its folder let its calls fail"
  few = "one list returns all keys, of which the benchmarks count the requests"
  at = "/api_keys#*"
  needs = "name = \"a\""
  whole = "rotation_triggers = { a = \"1\" }"
  found_by = ["id", "created_by"]
  fixed = ["id"]

  change "name" {
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "rotation_triggers" {
    before = "rotation_triggers = { a = \"1\" }"
    after = "rotation_triggers = { a = \"2\" }"
    field = "name"
    want = "a"
  }
}

resource "neon_org_api_key" {
  identity = ["org_id", "id"]
  no_calls = "the tests of its folder let its calls fail"
  few = "one list returns all keys, of which the benchmarks count the requests"
  at = "/organizations/{org_id}/api_keys#*"
  needs = "name = \"a\""
  whole = <<-EOT
      rotation_triggers = { a = "1" }
      project_id = "$project"
    EOT
  found_by = ["id", "org_id", "project_id", "created_by"]
  fixed = ["id", "project_id"]

  change "name" {
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "org_id" {
    after = "org_id = \"$other_org\""
    field = "name"
    want = "a"
  }

  change "project_id" {
    after = "project_id = \"$project\""
    field = "project_id"
    want = "$project"
  }

  change "rotation_triggers" {
    before = "rotation_triggers = { a = \"1\" }"
    after = "rotation_triggers = { a = \"2\" }"
    field = "name"
    want = "a"
  }
}
