# Restores production's newest snapshot into a branch of its own, checks the data there, and deletes that branch. It has no resources, and
# needs no state.
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
  description = "Id of the project at Neon."
  type        = string
}

data "neon_branch" "production" {
  project_id = var.project_id
  name       = "main"
}

action "neon_rehearse_restore" "production" {
  config {
    project_id    = var.project_id
    branch_id     = data.neon_branch.production.id
    database_name = "neondb"
    role_name     = "neondb_owner"
    # The newest order is at most two days old: so snapshots are taken, and have the data that they should.
    check = "SELECT max(created_at) > now() - interval '2 days' AS ok, count(*) AS orders, max(created_at) AS newest FROM orders"
  }
}
