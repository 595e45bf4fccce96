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

resource "neon_snapshot" "before_migration" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "before the migration"
}

output "snapshot_id" {
  value = neon_snapshot.before_migration.id
}
