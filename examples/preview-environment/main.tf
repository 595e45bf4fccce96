# The database of one pull request: a branch of the parent's data as it is now, with
# a compute endpoint of its own. Each pull request has a state of its own.
terraform {
  required_version = ">= 1.8"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

provider "neon" {}

data "neon_branch" "parent" {
  project_id = var.project_id
  name       = var.parent_branch
}

locals {
  preview_branch = "preview/pr-${var.pull_request}"
}

# A run that was killed, or whose state was lost, may have created the branch
# already: it is imported then. Where it doesn't exist, there is nothing to import.
data "neon_branches" "existing" {
  project_id = var.project_id
  search     = local.preview_branch
}

import {
  for_each = { for branch in data.neon_branches.existing.branches : branch.name => branch.id if branch.name == local.preview_branch }
  to       = neon_branch.preview
  id       = "${var.project_id}/${each.value}"
}

resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = data.neon_branch.parent.id
  name       = local.preview_branch
  # Whatever becomes of the pull request, Neon deletes the branch.
  expires_in = var.expires_in

  endpoints = {
    primary = {
      type                     = "read_write"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 1
    }
  }
}

# What the pull request changes in the schema, once its migrations have run.
data "neon_schema_diff" "changes" {
  project_id     = var.project_id
  branch_id      = neon_branch.preview.id
  base_branch_id = data.neon_branch.parent.id
  database_name  = var.database_name
}

# The roles and their passwords are the parent's. It is a direct connection, as migrations need it.
data "neon_connection_uri" "app" {
  project_id    = var.project_id
  branch_id     = neon_branch.preview.id
  endpoint_id   = neon_branch.preview.endpoints["primary"].id
  database_name = var.database_name
  role_name     = var.role_name
}
