terraform {
  required_version = ">= 1.10"

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

resource "neon_role" "app" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "app"
}

# The connection string for this role. No state holds the password.
ephemeral "neon_connection_uri" "app" {
  project_id    = var.project_id
  database_name = "neondb"
  role_name     = neon_role.app.name
  after         = [neon_role.app.id]
}
