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

data "neon_operations" "newest" {
  project_id  = var.project_id
  max_results = 1
}

# Waits until the newest operation of the project has ended.
data "neon_operation" "newest" {
  project_id = var.project_id
  id         = data.neon_operations.newest.operations[0].id
  wait       = true

  lifecycle {
    postcondition {
      condition     = contains(["finished", "skipped"], self.status)
      error_message = "Operation ${self.action} ended as ${self.status}: ${coalesce(self.error, "no reason given")}"
    }
  }
}
