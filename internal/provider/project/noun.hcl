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
  together  = [["maintenance_window"], ["preload_libraries"]]
  places = {
    allowed_ips                         = "settings.allowed_ips.ips"
    allowed_ips_protected_branches_only = "settings.allowed_ips.protected_branches_only"
    audit_log_level                     = "settings.audit_log_level"
    block_public_connections            = "settings.block_public_connections"
    block_vpc_connections               = "settings.block_vpc_connections"
    compute_provisioner                 = "provisioner"
    default_branch                      = "/projects/{id}/branches/{default_branch.id}#branch"
    "default_branch.endpoint"           = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint"
    maintenance_window                  = "settings.maintenance_window"
    preload_libraries                   = "settings.preload_libraries"
    quota                               = "settings.quota"
  }

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

  change "allowed_ips" { values = [["10.0.0.1"], ["10.0.0.2"]] }
  change "allowed_ips_protected_branches_only" { values = [false, true] }
  change "audit_log_level" { values = ["base", "full"] }
  change "block_public_connections" { values = [true, false] }
  change "block_vpc_connections" { values = [false, true] }
  change "compute_provisioner" { values = ["k8s-neonvm", "k8s-pod"] }
  change "default_branch" { after = { name = "b" } }
  change "default_branch.database_name" { refused = "b" }
  change "default_branch.endpoint" { after = { name = "b" } }
  change "default_branch.endpoint.autoscaling_limit_max_cu" { values = [1, 2] }
  change "default_branch.endpoint.autoscaling_limit_min_cu" {
    before { default_branch = { endpoint = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } } }
    after { default_branch = { endpoint = { autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 2 } } }
  }
  change "default_branch.endpoint.disabled" { values = [false, true] }
  change "default_branch.endpoint.name" { values = ["a", "b"] }
  change "default_branch.endpoint.suspend_timeout_seconds" { values = [60, -1] }
  change "default_branch.name" { values = ["a", "b"] }
  change "default_branch.protected" { values = [true, false] }
  change "default_branch.role_name" { refused = "b" }
  change "default_endpoint_settings" { values = [{ autoscaling_limit_max_cu = 1 }, { autoscaling_limit_max_cu = 2 }] }
  change "default_endpoint_settings.autoscaling_limit_max_cu" { after = 4 }
  change "default_endpoint_settings.autoscaling_limit_min_cu" {
    before = 0.25
    after { default_endpoint_settings = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } }
  }
  change "default_endpoint_settings.pg_settings" { values = [{ work_mem = "8MB" }, { work_mem = "9MB" }] }
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
  change "maintenance_window" { after = { weekdays = [1], start_time = "01:00", end_time = "02:00" } }
  change "maintenance_window.end_time" { values = ["02:00", "03:00"] }
  change "maintenance_window.start_time" { values = ["00:00", "01:00"] }
  change "maintenance_window.weekdays" { values = [[1], [2]] }
  change "name" { values = ["a", "b"] }
  change "org_id" { values = ["$org", "$other_org"] }
  change "pg_version" { values = [17, 16] }
  change "preload_libraries" { after = { use_defaults = true, enabled_libraries = ["pg_cron"] } }
  change "preload_libraries.enabled_libraries" { values = [["pg_cron"], ["rag"]] }
  change "preload_libraries.use_defaults" { values = [true, false] }
  change "quota" {
    values = [{ written_data_bytes = 5 }, null]
    field  = "settings.quota.written_data_bytes"
    want   = "0"
  }
  change "quota.active_time_seconds" { values = [5, 6] }
  change "quota.compute_time_seconds" { values = [5, 6] }
  change "quota.data_transfer_bytes" { values = [5, 6] }
  change "quota.logical_size_bytes" { values = [5, 6] }
  change "quota.written_data_bytes" { values = [5, 6] }
  change "region_id" { values = ["aws-us-east-2", "aws-eu-central-1"] }
  change "store_passwords" { after = false }
}
