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

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
  endpoints  = { app = { type = "read_write", suspend_timeout_seconds = 600 } }
}

# Or by hand: terraform apply -invoke=action.neon_restart_endpoint.staging
action "neon_restart_endpoint" "staging" {
  config {
    project_id = var.project_id
    branch_id  = neon_branch.staging.id
  }
}

# Restarts the compute after each change of its settings, so that those which PostgreSQL reads only at start take effect.
# The action refers to the branch, so the trigger belongs to another resource.
resource "terraform_data" "settings" {
  input = neon_branch.staging.endpoints["app"].suspend_timeout_seconds

  lifecycle {
    action_trigger {
      events  = [after_update]
      actions = [action.neon_restart_endpoint.staging]
    }
  }
}
