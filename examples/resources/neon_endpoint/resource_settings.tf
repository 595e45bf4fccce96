terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "project_id" {
  type = string
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

### With sizes and settings of its own
# It scales between a quarter of a compute unit and two, and is suspended after five
# minutes without a connection.
resource "neon_endpoint" "nightly" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  type       = "read_only"
  name       = "nightly"

  autoscaling_limit_min_cu = 0.25
  autoscaling_limit_max_cu = 2
  suspend_timeout_seconds  = 300

  pg_settings = {
    statement_timeout = "600000"
  }
}
