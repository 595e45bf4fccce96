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

### With a read replica for reports
resource "neon_branch" "load_test" {
  project_id = var.project_id
  name       = "load-test"

  endpoints = {
    app = {
      type                     = "read_write"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 2
    }
    reports = {
      type                     = "read_only"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 0.5
    }
  }
}
