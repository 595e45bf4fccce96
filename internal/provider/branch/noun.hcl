# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Branches"
leads_to = ["endpoint"]

page "neon_branch" {}

page "neon_branches" {}

page "neon_anonymized_branch" {}

page "neon_anonymize_branch" {}

page "neon_reset_branch" {}

page "neon_restore_branch" {}

page "neon_set_default_branch" {}

resource "neon_branch" {
  identity = ["project_id", "id"]
  excluded = ["expires_in"]
  no_calls = "the tests of its folder let its calls fail"
  few = "the benchmarks count the requests of a plan over a thousand"
  at = "/projects/{project_id}/branches/{id}#branch"
  needs = <<-EOT
      name = "b"
      project_id = "$project"
    EOT
  whole = <<-EOT
      parent_lsn = "0/100"
      init_source = "parent-data"
      expires_at = "$tomorrow"
      archived = true
      endpoints = { a = { type = "read_write", name = "a" } }
      timeouts = { create = "5m", update = "5m", delete = "5m" }
    EOT
  found_by = ["id", "project_id", "endpoints.id"]
  fixed = ["id", "branch_id"]

  timeouts = ["create", "update", "delete"]

  change "archived" {
    before = "archived = true"
    after = "archived = false"
  }

  change "deletion_protection" {
    before = "deletion_protection = true"
    after = "deletion_protection = false"
  }

  change "endpoints" {
    after = "endpoints = { a = { type = \"read_write\" } }"
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.type"
    want = "read_write"
  }

  change "endpoints.autoscaling_limit_max_cu" {
    before = "endpoints = { a = { type = \"read_write\" } }"
    after = "endpoints = { a = { type = \"read_write\", autoscaling_limit_max_cu = 4 } }"
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.autoscaling_limit_max_cu"
    want = "4"
  }

  change "endpoints.autoscaling_limit_min_cu" {
    before = "endpoints = { a = { type = \"read_write\" } }"
    after = "endpoints = { a = { type = \"read_write\", autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } }"
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.autoscaling_limit_min_cu"
    want = "0.5"
  }

  change "endpoints.disabled" {
    before = "endpoints = { a = { type = \"read_write\" } }"
    after = "endpoints = { a = { type = \"read_write\", disabled = true } }"
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.disabled"
    want = "true"
  }

  change "endpoints.name" {
    before = "endpoints = { a = { type = \"read_write\" } }"
    after = "endpoints = { a = { type = \"read_write\", name = \"b\" } }"
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.name"
    want = "b"
  }

  change "endpoints.suspend_timeout_seconds" {
    before = "endpoints = { a = { type = \"read_write\" } }"
    after = "endpoints = { a = { type = \"read_write\", suspend_timeout_seconds = 60 } }"
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.suspend_timeout_seconds"
    want = "60"
  }

  change "endpoints.type" {
    before = "endpoints = { a = { type = \"read_write\" } }"
    after = "endpoints = { a = { type = \"read_only\" } }"
    field = "/projects/{project_id}/endpoints/{endpoints.a.id}#endpoint.type"
    want = "read_only"
  }

  change "expires_at" {
    before = "expires_at = \"$tomorrow\""
    after = "expires_at = \"$overmorrow\""
    field = "expires_at"
    want = "$overmorrow"
  }

  change "expires_in" {
    before = "expires_in = \"48h\""
    after = "expires_in = \"72h\""
  }

  change "init_source" {
    after = "init_source = \"schema-only\""
    field = "init_source"
    want = "parent-schema"
  }

  change "name" {
    after = "name = \"c\""
    field = "name"
    want = "c"
  }

  change "parent_id" {
    before = "parent_id = \"$main\""
    after = "parent_id = \"$other_branch\""
    field = "parent_id"
    want = "$other_branch"
  }

  change "parent_lsn" {
    before = "parent_lsn = \"0/100\""
    after = "parent_lsn = \"0/200\""
    field = "parent_lsn"
    want = "0/200"
  }

  change "parent_timestamp" {
    before = "parent_timestamp = \"$earlier\""
    after = "parent_timestamp = \"$later\""
  }

  change "project_id" {
    after = "project_id = \"$other_project\""
    field = "project_id"
    want = "$other_project"
  }

  change "protected" {
    after = "protected = true"
    field = "protected"
    want = "true"
  }
}

resource "neon_anonymized_branch" {
  identity = ["project_id", "id"]
  unmoved = true
  excluded = ["expires_in"]
  no_calls = "the tests of its folder let its calls fail"
  each = ["GET /api/v2/projects/{project_id}/branches/{branch_id}/masking_rules", "GET /api/v2/projects/{project_id}/branches/{branch_id}/anonymized_status"]
  several = <<-EOT
      name = "masked-$n"
      project_id = "$other_project"
      masking_rules = [{ database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email", masking_function = "anon.fake_email()" }]
    EOT
  at = "/projects/{project_id}/branches/{id}#branch"
  needs = <<-EOT
      name = "b"
      project_id = "$project"
      masking_rules = [{ database_name = "neondb", schema_name = "public", table_name = "people", column_name = "email", masking_function = "anon.fake_email()" }]
    EOT
  whole = <<-EOT
      parent_lsn = "0/100"
      expires_at = "$tomorrow"
      endpoint = { suspend_timeout_seconds = 120 }
      timeouts = { create = "5m", update = "5m", delete = "5m" }
    EOT
  found_by = ["id", "project_id", "endpoint.id"]
  fixed = ["id", "branch_id"]

  timeouts = ["create", "update", "delete"]

  change "anonymize" {
    before = "anonymize = false"
    after = "anonymize = true"
    field = "/projects/{project_id}/branches/{id}/anonymized_status#.state"
    want = "anonymized"
  }

  change "masking_rules" {
    after = "masking_rules = [{ database_name = \"neondb\", schema_name = \"public\", table_name = \"people\", column_name = \"phone\", masking_value = \"NULL\" }]"
    field = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules.*.column_name"
    want = "phone"
  }

  change "masking_rules.database_name" {
    after = "masking_rules = [{ database_name = \"other\", schema_name = \"public\", table_name = \"people\", column_name = \"email\", masking_function = \"anon.fake_email()\" }]"
    field = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules.*.database_name"
    want = "other"
  }

  change "masking_rules.schema_name" {
    after = "masking_rules = [{ database_name = \"neondb\", schema_name = \"other\", table_name = \"people\", column_name = \"email\", masking_function = \"anon.fake_email()\" }]"
    field = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules.*.schema_name"
    want = "other"
  }

  change "masking_rules.table_name" {
    after = "masking_rules = [{ database_name = \"neondb\", schema_name = \"public\", table_name = \"other\", column_name = \"email\", masking_function = \"anon.fake_email()\" }]"
    field = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules.*.table_name"
    want = "other"
  }

  change "masking_rules.column_name" {
    after = "masking_rules = [{ database_name = \"neondb\", schema_name = \"public\", table_name = \"people\", column_name = \"other\", masking_function = \"anon.fake_email()\" }]"
    field = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules.*.column_name"
    want = "other"
  }

  change "masking_rules.masking_function" {
    after = "masking_rules = [{ database_name = \"neondb\", schema_name = \"public\", table_name = \"people\", column_name = \"email\", masking_function = \"anon.dummy_email()\" }]"
    field = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules.*.masking_function"
    want = "anon.dummy_email()"
  }

  change "masking_rules.masking_value" {
    after = "masking_rules = [{ database_name = \"neondb\", schema_name = \"public\", table_name = \"people\", column_name = \"email\", masking_value = \"NULL\" }]"
    field = "/projects/{project_id}/branches/{id}/masking_rules#masking_rules.*.masking_value"
    want = "NULL"
  }

  change "endpoint" {
    after = "endpoint = { suspend_timeout_seconds = 60 }"
    field = "/projects/{project_id}/endpoints/{endpoint.id}#endpoint.suspend_timeout_seconds"
    want = "60"
  }

  change "endpoint.autoscaling_limit_max_cu" {
    after = "endpoint = { autoscaling_limit_max_cu = 4 }"
    field = "/projects/{project_id}/endpoints/{endpoint.id}#endpoint.autoscaling_limit_max_cu"
    want = "4"
  }

  change "endpoint.autoscaling_limit_min_cu" {
    after = "endpoint = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 }"
    field = "/projects/{project_id}/endpoints/{endpoint.id}#endpoint.autoscaling_limit_min_cu"
    want = "0.5"
  }

  change "endpoint.suspend_timeout_seconds" {
    after = "endpoint = { suspend_timeout_seconds = 60 }"
    field = "/projects/{project_id}/endpoints/{endpoint.id}#endpoint.suspend_timeout_seconds"
    want = "60"
  }

  change "expires_at" {
    before = "expires_at = \"$tomorrow\""
    after = "expires_at = \"$overmorrow\""
    field = "expires_at"
    want = "$overmorrow"
  }

  change "expires_in" {
    before = "expires_in = \"48h\""
    after = "expires_in = \"72h\""
  }

  change "name" {
    after = "name = \"c\""
    field = "name"
    want = "c"
  }

  change "parent_id" {
    before = "parent_id = \"$main\""
    after = "parent_id = \"$other_branch\""
    field = "parent_id"
    want = "$other_branch"
  }

  change "parent_lsn" {
    before = "parent_lsn = \"0/100\""
    after = "parent_lsn = \"0/200\""
    field = "parent_lsn"
    want = "0/200"
  }

  change "parent_timestamp" {
    before = "parent_timestamp = \"$earlier\""
    after = "parent_timestamp = \"$later\""
  }

  change "project_id" {
    after = "project_id = \"$other_project\""
    field = "project_id"
    want = "$other_project"
  }

  change "protected" {
    after = "protected = true"
    field = "protected"
    want = "true"
  }
}
