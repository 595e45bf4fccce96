# A snapshot before a database is deleted, a database that is forgotten instead, and a module that imports one.
terraform {
  required_version = ">= 1.16"
  required_providers {
    neon = { source = "seed-a7382548/neon", version = "~> 0.1" }
  }
}

variable "project_id" {
  type = string
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

# Invoked before the database is deleted or replaced. It must not refer to what triggers it.
action "neon_create_snapshot" "before_orders_go" {
  config {
    project_id = var.project_id
    branch_id  = data.neon_branch.main.id
    name       = "before orders go"
  }
}

resource "neon_database" "orders" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "orders"
  owner_name = "neondb_owner"

  lifecycle {
    action_trigger {
      events     = [before_destroy]
      actions    = [action.neon_create_snapshot.before_orders_go]
      on_failure = halt # a replacement without a snapshot doesn't happen
    }
  }
}

# Where all is destroyed, Terraform forgets the database, and Neon keeps it.
resource "neon_database" "archive" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "archive"
  owner_name = "neondb_owner"

  lifecycle {
    destroy = false
  }
}

# A module that brings in what was created in the console.
module "first_database" {
  source     = "./adopted"
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
}
