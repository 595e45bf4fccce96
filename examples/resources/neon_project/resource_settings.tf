terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

### For production: with limits, and its default branch described
resource "neon_project" "web_shop" {
  name      = "web-shop"
  region_id = "aws-us-east-2"

  # What Neon creates with the project.
  default_branch = {
    name          = "production"
    protected     = true
    database_name = "shop"
    endpoint = {
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 2
    }
  }

  # For endpoints that are created later.
  default_endpoint_settings = {
    autoscaling_limit_max_cu = 0.25
  }

  allowed_ips = ["198.51.100.0/24"]
  quota = {
    active_time_seconds = 360000
  }
}
