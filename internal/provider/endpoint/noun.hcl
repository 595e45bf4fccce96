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
  together  = [["preload_libraries"]]
  places = {
    pg_settings       = "settings.pg_settings"
    preload_libraries = "settings.preload_libraries"
  }

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
  change "pg_settings" { values = [{ work_mem = "8MB" }, { work_mem = "9MB" }] }
  change "preload_libraries" { after = { use_defaults = false, enabled_libraries = ["pg_cron"] } }
  change "preload_libraries.enabled_libraries" { values = [[], ["rag"]] }
  change "preload_libraries.use_defaults" { values = [true, false] }
  change "project_id" { after = "$other_project" }
  change "suspend_timeout_seconds" { after = 60 }
  change "type" { after = "read_write" }
}
