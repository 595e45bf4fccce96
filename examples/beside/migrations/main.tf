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
  description = "Id of the project at Neon."
  type        = string
}

variable "migrate" {
  description = "The command that migrates the database in DATABASE_URL."
  type        = string
  default     = "for file in migrations/*.sql; do psql --no-psqlrc --set=ON_ERROR_STOP=1 --dbname=\"$DATABASE_URL\" --file=\"$file\" || exit 1; done"
}

data "neon_project" "shop" {
  id = var.project_id
}

resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = data.neon_project.shop.default_branch.id
  name       = "preview/migrations"
  expires_in = "72h"

  endpoints = {
    primary = { type = "read_write" }
  }
}

ephemeral "neon_connection_uri" "preview" {
  project_id    = var.project_id
  branch_id     = neon_branch.preview.id
  database_name = "neondb"
  role_name     = "neondb_owner"
}

# Migrations take the direct host. They run again when one of their files changes, and on a new branch.
resource "terraform_data" "migrated" {
  triggers_replace = [neon_branch.preview.id, [for file in sort(fileset("migrations", "**")) : filesha256("migrations/${file}")]]

  provisioner "local-exec" {
    command     = var.migrate
    environment = { DATABASE_URL = ephemeral.neon_connection_uri.preview.uri }
  }
}
