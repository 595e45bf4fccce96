terraform {
  required_version = ">= 1.11"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    postgresql = {
      source  = "cyrilgdn/postgresql"
      version = "~> 1.25"
    }
  }
}

variable "project_id" {
  description = "Id of the project at Neon."
  type        = string
}

variable "sslmode" {
  description = "Neon accepts only encrypted connections."
  type        = string
  default     = "require"
}

data "neon_project" "shop" {
  id = var.project_id
}

resource "neon_role" "reports" {
  project_id = var.project_id
  branch_id  = data.neon_project.shop.default_branch.id
  name       = "reports"
}

ephemeral "neon_connection_uri" "owner" {
  project_id    = var.project_id
  database_name = "neondb"
  role_name     = "neondb_owner"
}

provider "postgresql" {
  host      = ephemeral.neon_connection_uri.owner.host
  port      = ephemeral.neon_connection_uri.owner.port
  database  = ephemeral.neon_connection_uri.owner.database
  username  = ephemeral.neon_connection_uri.owner.user
  password  = ephemeral.neon_connection_uri.owner.password
  sslmode   = var.sslmode
  superuser = false
}

resource "postgresql_grant" "reports" {
  database    = "neondb"
  role        = neon_role.reports.name
  schema      = "public"
  object_type = "table"
  privileges  = ["SELECT"]
}
