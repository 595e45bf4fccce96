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

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

# A second compute for the same data, for reports that shouldn't slow down the application.
resource "neon_endpoint" "reports" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  type       = "read_only"
}

output "reports_host" {
  value = neon_endpoint.reports.pooler_host
}
