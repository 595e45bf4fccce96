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

data "neon_endpoints" "all" {
  project_id = var.project_id
}

# Endpoints that never suspend, and so never stop costing.
output "always_on" {
  value = [for endpoint in data.neon_endpoints.all.endpoints : endpoint.id if endpoint.suspend_timeout_seconds == -1]
}
