# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Projects"
leads_to = ["region", "library"]

page "neon_project" {
  keys = {
    "Resource" = "Needs a personal API key or one of the organization. A project-scoped one reads and changes its own project, and can't create, transfer or destroy it."
    "Data Source" = "Works with any API key that sees the project. To find it by name, the key has to be personal or the organization's."
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
  identity = ["id"]
  no_calls = "the tests of its folder let its calls fail"
  few = "each is read by a request of its own"
  at = "/projects/{id}#project"
  needs = ""
  whole = <<-EOT
      name = "a"
      quota = { active_time_seconds = 1, compute_time_seconds = 2, written_data_bytes = 3, data_transfer_bytes = 4, logical_size_bytes = 5 }
      allowed_ips = ["10.0.0.1"]
      allowed_ips_protected_branches_only = true
      block_public_connections = true
      block_vpc_connections = true
      enable_logical_replication = true
      hipaa = true
      audit_log_level = "base"
      maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" }
      preload_libraries = { use_defaults = true, enabled_libraries = ["pg_cron"] }
      default_endpoint_settings = { suspend_timeout_seconds = 60, pg_settings = { work_mem = "8MB" } }
      default_branch = { protected = true, endpoint = { name = "a" } }
      timeouts = { create = "5m", update = "5m", delete = "5m" }
    EOT
  found_by = ["id", "default_branch.id", "default_branch.endpoint.id"]
  fixed = ["id", "default", "type", "branch_id"]

  timeouts = ["create", "update", "delete"]

  change "allowed_ips" {
    before = "allowed_ips = [\"10.0.0.1\"]"
    after = "allowed_ips = [\"10.0.0.2\"]"
    field = "settings.allowed_ips.ips"
    want = "[10.0.0.2]"
  }

  change "allowed_ips_protected_branches_only" {
    before = "allowed_ips_protected_branches_only = false"
    after = "allowed_ips_protected_branches_only = true"
    field = "settings.allowed_ips.protected_branches_only"
    want = "true"
  }

  change "audit_log_level" {
    before = "audit_log_level = \"base\""
    after = "audit_log_level = \"full\""
    field = "settings.audit_log_level"
    want = "full"
  }

  change "block_public_connections" {
    before = "block_public_connections = true"
    after = "block_public_connections = false"
    field = "settings.block_public_connections"
    want = "false"
  }

  change "block_vpc_connections" {
    before = "block_vpc_connections = false"
    after = "block_vpc_connections = true"
    field = "settings.block_vpc_connections"
    want = "true"
  }

  change "compute_provisioner" {
    before = "compute_provisioner = \"k8s-neonvm\""
    after = "compute_provisioner = \"k8s-pod\""
    field = "provisioner"
    want = "k8s-pod"
  }

  change "default_branch" {
    after = "default_branch = { name = \"b\" }"
    field = "/projects/{id}/branches/{default_branch.id}#branch.name"
    want = "b"
  }

  change "default_branch.database_name" {
    refused = "default_branch = { database_name = \"b\" }"
  }

  change "default_branch.endpoint" {
    after = "default_branch = { endpoint = { name = \"b\" } }"
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.name"
    want = "b"
  }

  change "default_branch.endpoint.autoscaling_limit_max_cu" {
    before = "default_branch = { endpoint = { autoscaling_limit_max_cu = 1 } }"
    after = "default_branch = { endpoint = { autoscaling_limit_max_cu = 2 } }"
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.autoscaling_limit_max_cu"
    want = "2"
  }

  change "default_branch.endpoint.autoscaling_limit_min_cu" {
    before = "default_branch = { endpoint = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 } }"
    after = "default_branch = { endpoint = { autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 2 } }"
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.autoscaling_limit_min_cu"
    want = "1"
  }

  change "default_branch.endpoint.disabled" {
    before = "default_branch = { endpoint = { disabled = false } }"
    after = "default_branch = { endpoint = { disabled = true } }"
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.disabled"
    want = "true"
  }

  change "default_branch.endpoint.name" {
    before = "default_branch = { endpoint = { name = \"a\" } }"
    after = "default_branch = { endpoint = { name = \"b\" } }"
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.name"
    want = "b"
  }

  change "default_branch.endpoint.suspend_timeout_seconds" {
    before = "default_branch = { endpoint = { suspend_timeout_seconds = 60 } }"
    after = "default_branch = { endpoint = { suspend_timeout_seconds = -1 } }"
    field = "/projects/{id}/endpoints/{default_branch.endpoint.id}#endpoint.suspend_timeout_seconds"
    want = "-1"
  }

  change "default_branch.name" {
    before = "default_branch = { name = \"a\" }"
    after = "default_branch = { name = \"b\" }"
    field = "/projects/{id}/branches/{default_branch.id}#branch.name"
    want = "b"
  }

  change "default_branch.protected" {
    before = "default_branch = { protected = true }"
    after = "default_branch = { protected = false }"
    field = "/projects/{id}/branches/{default_branch.id}#branch.protected"
    want = "false"
  }

  change "default_branch.role_name" {
    refused = "default_branch = { role_name = \"b\" }"
  }

  change "default_endpoint_settings" {
    before = "default_endpoint_settings = { autoscaling_limit_max_cu = 1 }"
    after = "default_endpoint_settings = { autoscaling_limit_max_cu = 2 }"
    field = "default_endpoint_settings.autoscaling_limit_max_cu"
    want = "2"
  }

  change "default_endpoint_settings.autoscaling_limit_max_cu" {
    after = "default_endpoint_settings = { autoscaling_limit_max_cu = 4 }"
    field = "default_endpoint_settings.autoscaling_limit_max_cu"
    want = "4"
  }

  change "default_endpoint_settings.autoscaling_limit_min_cu" {
    before = "default_endpoint_settings = { autoscaling_limit_min_cu = 0.25 }"
    after = "default_endpoint_settings = { autoscaling_limit_min_cu = 0.5, autoscaling_limit_max_cu = 2 }"
    field = "default_endpoint_settings.autoscaling_limit_min_cu"
    want = "0.5"
  }

  change "default_endpoint_settings.pg_settings" {
    before = "default_endpoint_settings = { pg_settings = { work_mem = \"8MB\" } }"
    after = "default_endpoint_settings = { pg_settings = { work_mem = \"9MB\" } }"
    field = "default_endpoint_settings.pg_settings"
    want = "map[work_mem:9MB]"
  }

  change "default_endpoint_settings.suspend_timeout_seconds" {
    after = "default_endpoint_settings = { suspend_timeout_seconds = 120 }"
    field = "default_endpoint_settings.suspend_timeout_seconds"
    want = "120"
  }

  change "deletion_protection" {
    before = "deletion_protection = true"
    after = "deletion_protection = false"
  }

  change "enable_logical_replication" {
    after = "enable_logical_replication = true"
    field = "settings.enable_logical_replication"
    want = "true"
    refused = "enable_logical_replication = false"
  }

  change "hipaa" {
    after = "hipaa = true"
    field = "settings.hipaa"
    want = "true"
    refused = "hipaa = false"
  }

  change "history_retention_seconds" {
    before = "history_retention_seconds = 3600"
    after = "history_retention_seconds = 0"
    field = "history_retention_seconds"
    want = "0"
  }

  change "maintenance_window" {
    after = "maintenance_window = { weekdays = [1], start_time = \"01:00\", end_time = \"02:00\" }"
    field = "settings.maintenance_window.weekdays"
    want = "[1]"
  }

  change "maintenance_window.end_time" {
    before = "maintenance_window = { weekdays = [1], start_time = \"01:00\", end_time = \"02:00\" }"
    after = "maintenance_window = { weekdays = [1], start_time = \"01:00\", end_time = \"03:00\" }"
    field = "settings.maintenance_window.end_time"
    want = "03:00"
  }

  change "maintenance_window.start_time" {
    before = "maintenance_window = { weekdays = [1], start_time = \"01:00\", end_time = \"03:00\" }"
    after = "maintenance_window = { weekdays = [1], start_time = \"02:00\", end_time = \"03:00\" }"
    field = "settings.maintenance_window.start_time"
    want = "02:00"
  }

  change "maintenance_window.weekdays" {
    before = "maintenance_window = { weekdays = [1], start_time = \"01:00\", end_time = \"02:00\" }"
    after = "maintenance_window = { weekdays = [2], start_time = \"01:00\", end_time = \"02:00\" }"
    field = "settings.maintenance_window.weekdays"
    want = "[2]"
  }

  change "name" {
    before = "name = \"a\""
    after = "name = \"b\""
    field = "name"
    want = "b"
  }

  change "org_id" {
    before = "org_id = \"$org\""
    after = "org_id = \"$other_org\""
    field = "org_id"
    want = "$other_org"
  }

  change "pg_version" {
    before = "pg_version = 17"
    after = "pg_version = 16"
    field = "pg_version"
    want = "16"
  }

  change "preload_libraries" {
    after = "preload_libraries = { use_defaults = true, enabled_libraries = [\"pg_cron\"] }"
    field = "settings.preload_libraries.enabled_libraries"
    want = "[pg_cron]"
  }

  change "preload_libraries.enabled_libraries" {
    before = "preload_libraries = { use_defaults = true, enabled_libraries = [\"pg_cron\"] }"
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

  change "quota" {
    before = "quota = { written_data_bytes = 5 }"
    after = "quota = null"
    field = "settings.quota.written_data_bytes"
    want = "0"
  }

  change "quota.active_time_seconds" {
    before = "quota = { active_time_seconds = 5 }"
    after = "quota = { active_time_seconds = 6 }"
    field = "settings.quota.active_time_seconds"
    want = "6"
  }

  change "quota.compute_time_seconds" {
    before = "quota = { compute_time_seconds = 5 }"
    after = "quota = { compute_time_seconds = 6 }"
    field = "settings.quota.compute_time_seconds"
    want = "6"
  }

  change "quota.data_transfer_bytes" {
    before = "quota = { data_transfer_bytes = 5 }"
    after = "quota = { data_transfer_bytes = 6 }"
    field = "settings.quota.data_transfer_bytes"
    want = "6"
  }

  change "quota.logical_size_bytes" {
    before = "quota = { logical_size_bytes = 5 }"
    after = "quota = { logical_size_bytes = 6 }"
    field = "settings.quota.logical_size_bytes"
    want = "6"
  }

  change "quota.written_data_bytes" {
    before = "quota = { written_data_bytes = 5 }"
    after = "quota = { written_data_bytes = 6 }"
    field = "settings.quota.written_data_bytes"
    want = "6"
  }

  change "region_id" {
    before = "region_id = \"aws-us-east-2\""
    after = "region_id = \"aws-eu-central-1\""
    field = "region_id"
    want = "aws-eu-central-1"
  }

  change "store_passwords" {
    after = "store_passwords = false"
    field = "store_passwords"
    want = "false"
  }
}
