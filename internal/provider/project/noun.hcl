# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Projects"

page "neon_project" {
  keys = {
    "Resource"      = "Needs a personal API key or one of the organization. A project-scoped one reads and changes its own project, and can't create, transfer or destroy it."
    "Data Source"   = "Works with any API key that sees the project. To find it by name, the key has to be personal or the organization's."
    "List Resource" = "Needs a personal API key or one of the organization."
  }
}
page "neon_projects" {
  key = "Needs a personal API key or one of the organization."
}
page "neon_recover_project" {
  key = "Needs a personal API key or one of the organization."
}
page "neon_transfer_projects" {
  key = "Needs a personal API key of an administrator of the source organization."
}

resource "neon_project" {
  protects  = "project"
  identity  = ["id"]
  listed_as = "{name} ({id})"
  found_by  = ["id", "default_branch.id", "default_branch.endpoint.id"]
  fixed     = ["id", "default", "type", "branch_id"]
  at        = "/projects/{id}#project"
  local     = ["deletion_protection"]
  timeouts  = ["create", "update", "delete"]
  no_calls  = "TestAccProject_lostAnswers"
  few       = "each is read by a request of its own"

  needs {}
  whole {
    name                                = "a"
    quota                               = { active_time_seconds = 1, compute_time_seconds = 2, written_data_bytes = 3, data_transfer_bytes = 4, logical_size_bytes = 5 }
    allowed_ips                         = ["10.0.0.1"]
    allowed_ips_protected_branches_only = true
    block_public_connections            = true
    block_vpc_connections               = true
    enable_logical_replication          = true
    hipaa                               = true
    audit_log_level                     = "base"
    maintenance_window                  = { weekdays = [1], start_time = "01:00", end_time = "02:00" }
    preload_libraries                   = { use_defaults = true, enabled_libraries = ["pg_cron"] }
    default_endpoint_settings           = { suspend_timeout_seconds = 60, pg_settings = { work_mem = "8MB" } }
    default_branch                      = { protected = true, endpoint = { name = "a" } }
  }
  several { name = "app$n" }

  chaos {
    objects  = "projects"
    creation = "/api/v2/projects"
    called   = "project named \"{name}\""
    path     = "/projects/{id}"
    siblings = true
    marked   = true
    becomes  = ["name default_branch.protected default_branch.endpoint.suspend_timeout_seconds"]
    first    = true
  }

  change "allowed_ips" {
    values = [["10.0.0.1"], ["10.0.0.2"]]
    field  = "settings.allowed_ips.ips"
  }
  change "allowed_ips_protected_branches_only" {
    values = [false, true]
    field  = "settings.allowed_ips.protected_branches_only"
  }
  change "audit_log_level" {
    values = ["base", "full"]
    field  = "settings.audit_log_level"
  }
  change "block_public_connections" {
    values = [true, false]
    field  = "settings.block_public_connections"
  }
  change "block_vpc_connections" {
    values = [false, true]
    field  = "settings.block_vpc_connections"
  }
  change "compute_provisioner" {
    values = ["k8s-neonvm", "k8s-pod"]
    field  = "provisioner"
  }
  change "default_branch" {
    after = { name = "b" }
    field = "/projects/{id}/branches/{default_branch.id}#branch"
  }
  change "default_branch.database_name" { refused = "b" }
  change "default_branch.endpoint" {
    after = { name = "b" }
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint"
  }
  change "default_branch.endpoint.autoscaling_limit_max_cu" {
    values = [1, 2]
    field  = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.autoscaling_limit_max_cu"
  }
  change "default_branch.endpoint.autoscaling_limit_min_cu" {
    before { default_branch = { endpoint = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } } }
    after { default_branch = { endpoint = { autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 2 } } }
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.autoscaling_limit_min_cu"
  }
  change "default_branch.endpoint.disabled" {
    values = [false, true]
    field  = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.disabled"
  }
  change "default_branch.endpoint.name" {
    values = ["a", "b"]
    field  = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.name"
  }
  change "default_branch.endpoint.suspend_timeout_seconds" {
    values = [60, -1]
    field  = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.suspend_timeout_seconds"
  }
  change "default_branch.name" {
    values = ["a", "b"]
    field  = "/projects/{id}/branches/{default_branch.id}#branch.name"
  }
  change "default_branch.protected" {
    values = [true, false]
    field  = "/projects/{id}/branches/{default_branch.id}#branch.protected"
  }
  change "default_branch.role_name" { refused = "b" }
  change "default_endpoint_settings" { values = [{ autoscaling_limit_max_cu = 1 }, { autoscaling_limit_max_cu = 2 }] }
  change "default_endpoint_settings.autoscaling_limit_max_cu" { after = 4 }
  change "default_endpoint_settings.autoscaling_limit_min_cu" {
    before = 0.25
    after { default_endpoint_settings = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } }
  }
  change "default_endpoint_settings.pg_settings" {
    values = [{ work_mem = "8MB" }, { work_mem = "9MB" }]
    want   = "map[work_mem:9MB]"
  }
  change "default_endpoint_settings.suspend_timeout_seconds" { after = 120 }
  change "deletion_protection" { values = [true, false] }
  change "enable_logical_replication" {
    after   = true
    refused = false
    field   = "settings.enable_logical_replication"
  }
  change "hipaa" {
    after   = true
    refused = false
    field   = "settings.hipaa"
  }
  change "history_retention_seconds" { values = [3600, 0] }
  change "maintenance_window" {
    after = { weekdays = [1], start_time = "01:00", end_time = "02:00" }
    field = "settings.maintenance_window.weekdays"
    want  = "[1]"
  }
  change "maintenance_window.end_time" {
    before { maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" } }
    after { maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "03:00" } }
    field = "settings.maintenance_window.end_time"
  }
  change "maintenance_window.start_time" {
    before { maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "03:00" } }
    after { maintenance_window = { weekdays = [1], start_time = "02:00", end_time = "03:00" } }
    field = "settings.maintenance_window.start_time"
  }
  change "maintenance_window.weekdays" {
    before { maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" } }
    after { maintenance_window = { weekdays = [2], start_time = "01:00", end_time = "02:00" } }
    field = "settings.maintenance_window.weekdays"
  }
  change "name" { values = ["a", "b"] }
  change "org_id" { values = ["$org", "$other_org"] }
  change "pg_version" { values = [17, 16] }
  change "preload_libraries" {
    after = { use_defaults = true, enabled_libraries = ["pg_cron"] }
    field = "settings.preload_libraries.enabled_libraries"
    want  = "[pg_cron]"
  }
  change "preload_libraries.enabled_libraries" {
    before { preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] } }
    after { preload_libraries = { use_defaults = true, enabled_libraries = ["rag"] } }
    field = "settings.preload_libraries.enabled_libraries"
  }
  change "preload_libraries.use_defaults" {
    before { preload_libraries = { use_defaults = true, enabled_libraries = [] } }
    after { preload_libraries = { use_defaults = false, enabled_libraries = [] } }
    field = "settings.preload_libraries.use_defaults"
  }
  change "quota" {
    values = [{ written_data_bytes = 5 }, null]
    field  = "settings.quota.written_data_bytes"
    want   = "0"
  }
  change "quota.active_time_seconds" {
    values = [5, 6]
    field  = "settings.quota.active_time_seconds"
  }
  change "quota.compute_time_seconds" {
    values = [5, 6]
    field  = "settings.quota.compute_time_seconds"
  }
  change "quota.data_transfer_bytes" {
    values = [5, 6]
    field  = "settings.quota.data_transfer_bytes"
  }
  change "quota.logical_size_bytes" {
    values = [5, 6]
    field  = "settings.quota.logical_size_bytes"
  }
  change "quota.written_data_bytes" {
    values = [5, 6]
    field  = "settings.quota.written_data_bytes"
  }
  change "region_id" { values = ["aws-us-east-2", "aws-eu-central-1"] }
  change "store_passwords" { after = false }
}
