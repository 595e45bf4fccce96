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

### With a read replica, so that reports do not slow the application down
# A compute endpoint for the application and a smaller one for reports, both of
# which are suspended after five minutes without a connection.
resource "neon_branch" "load_test" {
  project_id = var.project_id
  name       = "load-test"

  endpoints = {
    app = {
      type                     = "read_write"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 2
      suspend_timeout_seconds  = 300
    }
    reports = {
      type                     = "read_only"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 0.5
      suspend_timeout_seconds  = 300
    }
  }
}
