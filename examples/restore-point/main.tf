terraform {
  required_version = ">= 1.14"
  required_providers {
    neon = { source = "seed-a7382548/neon", version = "~> 0.1" }
  }
}

variable "project_id" {
  type = string
}

variable "schema_version" {
  type    = string
  default = "1"
}

variable "keep_as" {
  type        = string
  default     = "after-bad-change"
  description = "Name of the branch that keeps the data that an undo replaces."
}

data "neon_project" "shop" {
  id = var.project_id
}

# What production was before the last risky change.
resource "neon_branch" "before_change" {
  project_id = var.project_id
  parent_id  = data.neon_project.shop.default_branch.id
  name       = "before-change"
}

action "neon_restore_branch" "remember" {
  config {
    project_id       = var.project_id
    branch_id        = neon_branch.before_change.id
    source_branch_id = data.neon_project.shop.default_branch.id
  }
}

# The risky change: here whatever migrates the schema. Any resource can have the trigger.
resource "terraform_data" "migration" {
  input = var.schema_version

  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.neon_restore_branch.remember]
    }
  }
}

# Invoked by hand, when the change was a mistake.
action "neon_restore_branch" "undo" {
  config {
    project_id          = var.project_id
    branch_id           = data.neon_project.shop.default_branch.id
    source_branch_id    = neon_branch.before_change.id
    preserve_under_name = var.keep_as
  }
}
