terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "org_id" {
  type = string
}

### To find deleted projects that can be recovered
# The deleted projects that can still be recovered, and until when.
data "neon_projects" "deleted" {
  org_id      = var.org_id
  recoverable = true
}

output "recoverable_until" {
  value = { for project in data.neon_projects.deleted.projects : project.id => project.recoverable_until }
}
