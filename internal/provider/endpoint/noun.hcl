# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Computes"

page "neon_endpoint" {}
page "neon_endpoints" {}
page "neon_start_endpoint" {}
page "neon_suspend_endpoint" {}
page "neon_restart_endpoint" {}

resource "neon_endpoint" {
  identity  = ["project_id", "id"]
  listed_as = "{name|id} ({type})"
  fixed     = ["id", "project_id"]
  at        = "/projects/{project_id}/endpoints/{id}#endpoint"
  timeouts  = ["create", "update", "delete"]

  needs {
    project_id = "$project"
    branch_id  = "$other_branch"
    type       = "read_only"
  }
  whole {
    name              = "a"
    pg_settings       = { work_mem = "8MB" }
    preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }
  }
  several {
    branch_id = "$main"
    name      = "app$n"
  }

  calls {
    list        = "/api/v2/projects/{project_id}/endpoints"
    single      = "/api/v2/projects/{project_id}/endpoints/{endpoint_id}"
    reads_alone = true
    work        = ["start_compute"]
  }

  chaos {
    objects  = "endpoints"
    called   = "endpoint named \"{name}\" on branch {branch_id}"
    siblings = true
    becomes  = ["suspend_timeout_seconds"]
    first    = true
  }

  change "autoscaling_limit_max_cu" { after = 4 }
  change "autoscaling_limit_min_cu" {
    after {
      autoscaling_limit_min_cu = 0.5
      autoscaling_limit_max_cu = 2
    }
  }
  change "branch_id" { after = "$main" }
  change "disabled" { after = true }
  change "name" { after = "b" }
  change "pg_settings" {
    values = [{ work_mem = "8MB" }, { work_mem = "9MB" }]
    field  = "settings.pg_settings"
    want   = "map[work_mem:9MB]"
  }
  change "preload_libraries" {
    after = { use_defaults = false, enabled_libraries = ["pg_cron"] }
    field = "settings.preload_libraries.use_defaults"
    want  = "false"
  }
  change "preload_libraries.enabled_libraries" {
    before { preload_libraries = { use_defaults = true, enabled_libraries = [] } }
    after { preload_libraries = { use_defaults = true, enabled_libraries = ["rag"] } }
    field = "settings.preload_libraries.enabled_libraries"
  }
  change "preload_libraries.use_defaults" {
    before { preload_libraries = { use_defaults = true, enabled_libraries = [] } }
    after { preload_libraries = { use_defaults = false, enabled_libraries = [] } }
    field = "settings.preload_libraries.use_defaults"
  }
  change "project_id" {
    after {
      project_id = "$other_project"
      branch_id  = "$other_main"
    }
  }
  change "suspend_timeout_seconds" { after = 60 }
  change "type" { after = "read_write" }
}
