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

# Preview branches of pull requests, and when each is gone.
data "neon_branches" "previews" {
  project_id  = var.project_id
  name_prefix = "preview/"
  protected   = false
}

output "previews" {
  value = { for branch in data.neon_branches.previews.branches : branch.name => branch.expires_at }
}
