# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Storage and Functions"
leads_to = ["bucket"]

page "neon_function" {}

page "neon_functions" {}

page "neon_redeploy_function" {}

page "neon_trigger" {}

page "neon_triggers" {}

page "neon_custom_domain" {}

resource "neon_function" {
  identity = ["project_id", "branch_id", "slug"]
  at = "/projects/{project_id}/branches/{branch_id}/functions/{slug}#function"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      slug = "a"
      source = "$code"
    EOT
  whole = <<-EOT
      name = "an API"
      environment = { A = "1" }
      environment_wo = { B = "2" }
      environment_wo_version = 1
    EOT
  found_by = ["id", "project_id", "branch_id", "slug"]
  fixed = ["slug"]
  timeouts = ["create", "update"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      slug = "app$n"
      source = "$code"
    EOT
  no_calls = "an import doesn't know what was deployed; the tests of its folder let its calls fail"

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$other_main\""
    field = "current_deployment.id"
    want = "1"
  }

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "current_deployment.id"
    want = "1"
  }

  change "slug" {
    after = "slug = \"b\""
    field = "slug"
    want = "b"
  }

  change "name" {
    before = "name = \"an API\""
    after = "name = \"another\""
    field = "name"
    want = "another"
  }

  change "source" {
    after = "source = \"$other_code\""
    field = "current_deployment.id"
    want = "2"
  }

  change "runtime" {
    only = "Neon has one runtime"
  }

  change "environment" {
    before = "environment = { A = \"1\" }"
    after = "environment = { B = \"1\" }"
    field = "active_deployment.environment"
    want = "[B]"
  }

  change "environment_wo" {
    before = "environment_wo = { A = \"1\" }\nenvironment_wo_version = 1"
    after = "environment_wo = { B = \"1\" }\nenvironment_wo_version = 2"
    field = "active_deployment.environment"
    want = "[B]"
  }

  change "environment_wo_version" {
    before = "environment_wo = { A = \"1\" }\nenvironment_wo_version = 1"
    after = "environment_wo = { A = \"2\" }\nenvironment_wo_version = 2"
    field = "active_deployment.id"
    want = "2"
  }
}

resource "neon_trigger" {
  identity = ["project_id", "branch_id", "trigger_id"]
  at = "/projects/{project_id}/branches/{branch_id}/triggers#triggers.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "a"
      function_slug = "api"
      schedule = { cron = "0 3 * * *" }
    EOT
  whole = <<-EOT
      function_path = "/jobs"
      enabled = true
    EOT
  excluded = ["storage_object_created", "storage_object_created.bucket_name", "storage_object_created.prefix"]
  found_by = ["id", "project_id", "branch_id", "trigger_id"]
  fixed = ["trigger_id"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      name = "app$n"
      function_slug = "api"
      schedule = { cron = "0 3 * * *" }
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/branches/{branch_id}/triggers"
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/triggers/{trigger_id}"
    reads_alone = true
  }

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$other_main\""
    field = "name"
    want = "a"
  }

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "name"
    want = "a"
  }

  change "name" {
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "function_slug" {
    after = "function_slug = \"web\""
    field = "function_slug"
    want = "web"
  }

  change "function_path" {
    after = "function_path = \"/jobs\""
    field = "function_path"
    want = "/jobs"
  }

  change "enabled" {
    after = "enabled = false"
    field = "enabled"
    want = "false"
  }

  change "schedule" {
    after = "schedule = { cron = \"0 4 * * 1\" }"
    field = "schedule.cron"
    want = "0 4 * * 1"
  }

  change "schedule.cron" {
    after = "schedule = { cron = \"0 4 * * 1\" }"
    field = "schedule.cron"
    want = "0 4 * * 1"
  }

  change "storage_object_created" {
    before = "schedule = null\nstorage_object_created = { bucket_name = \"media\", prefix = \"a\" }"
    after = "schedule = null\nstorage_object_created = { bucket_name = \"media\" }"
    field = "storage_object_created.prefix"
    want = "<nil>"
  }

  change "storage_object_created.bucket_name" {
    before = "schedule = null\nstorage_object_created = { bucket_name = \"media\" }"
    after = "schedule = null\nstorage_object_created = { bucket_name = \"other\" }"
    field = "storage_object_created.bucket_name"
    want = "other"
  }

  change "storage_object_created.prefix" {
    before = "schedule = null\nstorage_object_created = { bucket_name = \"media\", prefix = \"a\" }"
    after = "schedule = null\nstorage_object_created = { bucket_name = \"media\", prefix = \"b\" }"
    field = "storage_object_created.prefix"
    want = "b"
  }
}

resource "neon_custom_domain" {
  identity = ["project_id", "branch_id", "domain"]
  unmoved = true
  at = "/projects/{project_id}/branches/{branch_id}/custom-domains#custom_domains.*"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      domain = "a.example.com"
      function_slug = "api"
    EOT
  found_by = ["id", "project_id", "branch_id", "domain"]
  fixed = ["domain"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      domain = "app$n.example.com"
      function_slug = "api"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/branches/{branch_id}/custom-domains"
    single = "/api/v2/projects/{project_id}/branches/{branch_id}/custom-domains/{domain}"
  }

  change "project_id" {
    after = "project_id = \"$other_project\"\nbranch_id = \"$other_main\""
    field = "entity_id"
    want = "api"
  }

  change "branch_id" {
    after = "branch_id = \"$other_branch\""
    field = "entity_id"
    want = "api"
  }

  change "domain" {
    after = "domain = \"b.example.com\""
    field = "domain"
    want = "b.example.com"
  }

  change "function_slug" {
    after = "function_slug = \"web\""
    field = "entity_id"
    want = "web"
  }
}
