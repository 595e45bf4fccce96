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

# The last ten operations of the project that didn't work out, newest first.
data "neon_operations" "failed" {
  project_id  = var.project_id
  statuses    = ["failed", "error", "cancelled"]
  max_results = 10
}

output "failed_operations" {
  value = [for operation in data.neon_operations.failed.operations : {
    action = operation.action
    status = operation.status
    error  = operation.error
    at     = operation.created_at
  }]
}
