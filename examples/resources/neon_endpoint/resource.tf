variable "project_id" {
  type = string
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

# A second compute for the same data, for reports that shouldn't slow down the
# application. It scales and suspends by itself.
resource "neon_endpoint" "reports" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  type       = "read_only"
  name       = "reports"

  autoscaling_limit_min_cu = 0.25
  autoscaling_limit_max_cu = 2
  suspend_timeout_seconds  = 300

  pg_settings = {
    statement_timeout = "600000"
  }
}

output "reports_host" {
  value = neon_endpoint.reports.pooler_host
}
