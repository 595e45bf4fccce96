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
  type = string
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

# terraform apply -invoke=action.neon_rehearse_restore.newest
action "neon_rehearse_restore" "newest" {
  config {
    project_id    = var.project_id
    branch_id     = data.neon_branch.main.id
    database_name = "neondb"
    role_name     = "neondb_owner"
    check         = "SELECT count(*) > 0 AS ok, count(*) AS orders FROM orders"
  }
}

# Of an hour ago, from the branch's history, whether there is a snapshot or not.
action "neon_rehearse_restore" "hour_ago" {
  config {
    project_id    = var.project_id
    branch_id     = data.neon_branch.main.id
    timestamp     = timeadd(plantimestamp(), "-1h")
    database_name = "neondb"
    role_name     = "neondb_owner"
    check         = "SELECT count(*) > 0 AS ok, count(*) AS orders FROM orders"
  }
}
