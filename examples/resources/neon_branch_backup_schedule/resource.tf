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

# Snapshots are of root branches, such as the project's first one.
data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

resource "neon_branch_backup_schedule" "main" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id

  schedule = [
    {
      frequency         = "daily"
      hour              = 3
      retention_seconds = 7 * 24 * 60 * 60
    },
    # Kept for as long as Neon keeps snapshots by itself.
    {
      frequency = "monthly"
      day       = 1
      hour      = 3
    },
  ]
}
