terraform {
  required_version = ">= 1.14"

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

variable "schema_version" {
  type    = string
  default = "1"
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

# Also by hand: terraform apply -invoke=action.neon_create_snapshot.before_migration
action "neon_create_snapshot" "before_migration" {
  config {
    project_id = var.project_id
    branch_id  = data.neon_branch.main.id
    name       = "before version ${var.schema_version}"
    expires_at = timeadd(plantimestamp(), "720h")
  }
}

# The risky change: here whatever migrates the schema. Any resource can have the trigger.
resource "terraform_data" "migration" {
  input = var.schema_version

  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.neon_create_snapshot.before_migration]
    }
  }
}
