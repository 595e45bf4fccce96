# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Computes"
leads_to = ["branch"]

page "neon_endpoint" {}

page "neon_endpoints" {}

page "neon_start_endpoint" {}

page "neon_suspend_endpoint" {}

page "neon_restart_endpoint" {}

resource "neon_endpoint" {
  identity = ["project_id", "id"]
  at = "/projects/{project_id}/endpoints/{id}#endpoint"
  needs = <<-EOT
      project_id = "$project"
      branch_id = "$other_branch"
      type = "read_only"
    EOT
  whole = <<-EOT
      name = "a"
      pg_settings = { work_mem = "8MB" }
      preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }
      timeouts = { create = "5m", update = "5m", delete = "5m" }
    EOT
  found_by = ["id", "project_id"]
  fixed = ["id", "project_id"]
  several = <<-EOT
      project_id = "$project"
      branch_id = "$main"
      type = "read_only"
    EOT

  calls {
    list = "/api/v2/projects/{project_id}/endpoints"
    single = "/api/v2/projects/{project_id}/endpoints/{endpoint_id}"
    work = ["start_compute"]
    reads_alone = true
  }

  timeouts = ["create", "update", "delete"]

  change "autoscaling_limit_max_cu" {
    after = "autoscaling_limit_max_cu = 4"
    field = "autoscaling_limit_max_cu"
    want = "4"
  }

  change "autoscaling_limit_min_cu" {
    after = <<-EOT
      autoscaling_limit_min_cu = 0.5
      autoscaling_limit_max_cu = 2
    EOT
    field = "autoscaling_limit_min_cu"
    want = "0.5"
  }

  change "branch_id" {
    after = "branch_id = \"$main\""
    field = "branch_id"
    want = "$main"
  }

  change "disabled" {
    after = "disabled = true"
    field = "disabled"
    want = "true"
  }

  change "name" {
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "pg_settings" {
    before = "pg_settings = { work_mem = \"8MB\" }"
    after = "pg_settings = { work_mem = \"9MB\" }"
    field = "settings.pg_settings"
    want = "map[work_mem:9MB]"
  }

  change "preload_libraries" {
    after = "preload_libraries = { use_defaults = false, enabled_libraries = [\"pg_cron\"] }"
    field = "settings.preload_libraries.use_defaults"
    want = "false"
  }

  change "preload_libraries.enabled_libraries" {
    before = "preload_libraries = { use_defaults = true, enabled_libraries = [] }"
    after = "preload_libraries = { use_defaults = true, enabled_libraries = [\"rag\"] }"
    field = "settings.preload_libraries.enabled_libraries"
    want = "[rag]"
  }

  change "preload_libraries.use_defaults" {
    before = "preload_libraries = { use_defaults = true, enabled_libraries = [] }"
    after = "preload_libraries = { use_defaults = false, enabled_libraries = [] }"
    field = "settings.preload_libraries.use_defaults"
    want = "false"
  }

  change "project_id" {
    after = <<-EOT
      project_id = "$other_project"
      branch_id = "$other_main"
    EOT
    field = "project_id"
    want = "$other_project"
  }

  change "suspend_timeout_seconds" {
    after = "suspend_timeout_seconds = 60"
    field = "suspend_timeout_seconds"
    want = "60"
  }

  change "type" {
    after = "type = \"read_write\""
    field = "type"
    want = "read_write"
  }
}
