# The database of one pull request: a branch of the parent's data as it is now, with
# a compute endpoint of its own. Each pull request has a state of its own.
terraform {
  required_version = ">= 1.8"

  required_providers {
    neon = {
      source = "seed-a7382548/neon"
    }
  }
}

provider "neon" {}

data "neon_branch" "parent" {
  project_id = var.project_id
  name       = var.parent_branch
}

resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = data.neon_branch.parent.id
  name       = "preview/pr-${var.pull_request}"

  # A run that was killed, or whose state was lost, may have made it already.
  on_conflict = "adopt"

  endpoints = {
    primary = {
      type                     = "read_write"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 1
    }
  }
}

# The roles and their passwords are the parent's.
data "neon_connection_uri" "app" {
  project_id    = var.project_id
  branch_id     = neon_branch.preview.id
  endpoint_id   = neon_branch.preview.endpoints["primary"].id
  database_name = var.database_name
  role_name     = var.role_name
  pooled        = true
}
