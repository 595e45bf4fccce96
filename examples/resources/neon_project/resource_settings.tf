terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

### For production: with limits, and its default branch described
variable "org_id" {
  type = string
}

resource "neon_project" "web_shop" {
  name      = "web-shop"
  org_id    = var.org_id
  region_id = "aws-us-east-2"

  # What Neon creates with the project. The names of the role and the database
  # count at creation only.
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

# Branches begin from the default one.
resource "neon_branch" "staging" {
  project_id = neon_project.web_shop.id
  parent_id  = neon_project.web_shop.default_branch.id
  name       = "staging"
}
