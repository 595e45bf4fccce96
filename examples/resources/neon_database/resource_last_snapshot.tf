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

### With a snapshot before it goes
resource "neon_database" "orders" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id # must be a root branch: Neon takes no snapshots of others
  name       = "orders"
  owner_name = "neondb_owner"

  final_snapshot = {
    name       = "orders at its end"
    expires_in = "30d"
  }
}
