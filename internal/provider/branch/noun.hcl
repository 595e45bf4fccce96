# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Branches"

page "neon_branch" {}
page "neon_branches" {}
page "neon_anonymized_branch" {}
page "neon_anonymize_branch" {}
page "neon_reset_branch" {}
page "neon_restore_branch" {}
page "neon_delete_stale_branches" {}
page "neon_set_default_branch" {}

resource "neon_branch" {
  protects = "branch"
  identity = ["project_id", "id"]
  excluded = ["expires_in"]
  found_by = ["id", "project_id", "endpoints.id"]
  fixed    = ["id", "branch_id"]
  at       = "/projects/{project_id}/branches/{id}#branch"
  local    = ["archived", "deletion_protection", "expires_in", "final_snapshot", "final_snapshot.name", "final_snapshot.expires_in", "parent_timestamp"]
  timeouts = ["create", "update", "delete"]
  no_calls = "TestAccBranch_lostAnswers"
  few      = "the benchmarks count the requests of a plan over a thousand"
  places   = { endpoints = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint" }

  needs {
    name       = "b"
    project_id = "$project"
  }
  whole {
    parent_lsn  = "0/100"
    init_source = "parent-data"
    expires_at  = "$tomorrow"
    archived    = true
    endpoints   = { a = { type = "read_write", name = "a" } }
  }
  several { name = "app$n" }

  chaos {
    objects  = "branches"
    creation = "/api/v2/projects/{project_id}/branches"
    called   = "branch named \"{name}\" in project {project_id}"
    often    = 5
    marked   = true
    unique   = true
    version { endpoints = { app = { type = "read_write", suspend_timeout_seconds = 300 } } }
    version {
      name      = "app$n$again"
      protected = true
      endpoints = {
        app     = { type = "read_write", suspend_timeout_seconds = 600 }
        named   = { type = "read_only", name = "named" }
        replica = { type = "read_only" }
      }
    }
    version {
      protected  = false
      expires_at = "$tomorrow"
      endpoints  = { app = { type = "read_write", suspend_timeout_seconds = 900 } }
    }
    sometimes {
      parent_id = "$other_branch"
      protected = false
      endpoints = { named = { type = "read_only", name = "named" } }
    }
    sometimes {
      init_source    = "schema-only"
      final_snapshot = { name = "last of app$n" }
    }
    leaves = "snapshots"
    first  = true
  }

  change "archived" { values = [true, false] }
  change "deletion_protection" { values = [true, false] }
  change "endpoints" {
    after = { a = { type = "read_write" } }
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.type"
    want  = "read_write"
  }
  change "endpoints.autoscaling_limit_max_cu" {
    before { endpoints = { a = { type = "read_write" } } }
    after { endpoints = { a = { type = "read_write", autoscaling_limit_max_cu = 4 } } }
    want = "4"
  }
  change "endpoints.autoscaling_limit_min_cu" {
    before { endpoints = { a = { type = "read_write" } } }
    after { endpoints = { a = { type = "read_write", autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } } }
    want = "0.5"
  }
  change "endpoints.disabled" {
    before { endpoints = { a = { type = "read_write" } } }
    after { endpoints = { a = { type = "read_write", disabled = true } } }
    want = "true"
  }
  change "endpoints.name" {
    before { endpoints = { a = { type = "read_write" } } }
    after { endpoints = { a = { type = "read_write", name = "b" } } }
    want = "b"
  }
  change "endpoints.suspend_timeout_seconds" {
    before { endpoints = { a = { type = "read_write" } } }
    after { endpoints = { a = { type = "read_write", suspend_timeout_seconds = 60 } } }
    want = "60"
  }
  change "endpoints.type" {
    before { endpoints = { a = { type = "read_write" } } }
    after { endpoints = { a = { type = "read_only" } } }
    want = "read_only"
  }
  change "expires_at" { values = ["$tomorrow", "$overmorrow"] }
  change "expires_in" { values = ["48h", "72h"] }
  change "final_snapshot" {
    before { init_source = "schema-only" }
    after {
      init_source    = "schema-only"
      final_snapshot = { name = "last" }
    }
  }
  change "final_snapshot.name" {
    before {
      init_source    = "schema-only"
      final_snapshot = { name = "last" }
    }
    after {
      init_source    = "schema-only"
      final_snapshot = { name = "very last" }
    }
  }
  change "final_snapshot.expires_in" {
    before {
      init_source    = "schema-only"
      final_snapshot = { name = "last" }
    }
    after {
      init_source    = "schema-only"
      final_snapshot = { name = "last", expires_in = "720h" }
    }
  }
  change "init_source" {
    after = "schema-only"
    want  = "parent-schema"
  }
  change "name" { after = "c" }
  change "parent_id" { values = ["$main", "$other_branch"] }
  change "parent_lsn" { values = ["0/100", "0/200"] }
  change "parent_timestamp" { values = ["$earlier", "$later"] }
  change "project_id" { after = "$other_project" }
  change "protected" { after = true }
}

resource "neon_anonymized_branch" {
  protects = "branch"
  identity = ["project_id", "id"]
  unmoved  = true
  excluded = ["expires_in"]
  found_by = ["id", "project_id", "endpoint.id"]
  fixed    = ["id", "branch_id"]
  at       = "/projects/{project_id}/branches/{id}#branch"
  local    = ["expires_in", "parent_timestamp"]
  timeouts = ["create", "update", "delete"]
  no_calls = "TestAccAnonymizedBranch_lostAnswer"
  each = [
    "GET /api/v2/projects/{project_id}/branches/{branch_id}/masking_rules",
    "GET /api/v2/projects/{project_id}/branches/{branch_id}/anonymized_status",
  ]
  together = [["masking_rules"]]
  places = {
    masking_rules = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules"
    endpoint      = "/projects/{project_id}/endpoints/{endpoint.id}#endpoint"
  }

  needs {
    name          = "b"
    project_id    = "$project"
    masking_rules = [{ database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email", masking_function = "anon.fake_email()" }]
  }
  whole {
    parent_lsn = "0/100"
    expires_at = "$tomorrow"
    endpoint   = { suspend_timeout_seconds = 120 }
  }
  several {
    name       = "masked$n"
    project_id = "$other_project"
    anonymize  = true
  }

  chaos {
    objects  = "branches"
    creation = "/api/v2/projects/{project_id}/branch_anonymized"
    called   = "branch named \"{name}\" in project {project_id}"
    often    = 2
    marked   = true
    unique   = true
    becomes  = ["name protected endpoint.suspend_timeout_seconds masking_rules"]
    differs  = { masking_rules = "masked_columns" }
    sometimes { protected = false }
  }

  change "anonymize" {
    values = [false, true]
    field  = "/projects/{project_id}/branches/{id}/anonymized_status#.state"
    want   = "anonymized"
  }
  change "masking_rules" {
    after = [
      { database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email", masking_value = "NULL" },
      { database_name = "neondb", schema_name = "public", table_name = "people", column_name = "phone", masking_value = "NULL" },
    ]
  }
  change "masking_rules.database_name" { after = "other" }
  change "masking_rules.schema_name" { after = "other" }
  change "masking_rules.table_name" { after = "other" }
  change "masking_rules.column_name" { after = "other" }
  change "masking_rules.masking_function" { after = "anon.dummy_email()" }
  change "masking_rules.masking_value" {
    after { masking_rules = [{ database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email", masking_value = "NULL" }] }
  }
  change "endpoint" { after = { suspend_timeout_seconds = 60 } }
  change "endpoint.autoscaling_limit_max_cu" { after = 4 }
  change "endpoint.autoscaling_limit_min_cu" {
    after { endpoint = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } }
  }
  change "endpoint.suspend_timeout_seconds" { after = 60 }
  change "expires_at" { values = ["$tomorrow", "$overmorrow"] }
  change "expires_in" { values = ["48h", "72h"] }
  change "name" { after = "c" }
  change "parent_id" { values = ["$main", "$other_branch"] }
  change "parent_lsn" { values = ["0/100", "0/200"] }
  change "parent_timestamp" { values = ["$earlier", "$later"] }
  change "project_id" { after = "$other_project" }
  change "protected" { after = true }
}
