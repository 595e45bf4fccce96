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

variable "migrate_command" {
  type        = string
  description = "Shell command that migrates the database in DATABASE_URL."
  default     = "psql \"$DATABASE_URL\" --file=schema.sql"
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

### To a database that the same run creates
resource "neon_role" "shop" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "shop"
}

resource "neon_database" "shop" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "shop"
  owner_name = neon_role.shop.name
}

ephemeral "neon_connection_uri" "shop" {
  project_id    = var.project_id
  database_name = neon_database.shop.name
  role_name     = neon_role.shop.name
  after         = [neon_role.shop.id, neon_database.shop.id] # unknown until both are there
}

resource "terraform_data" "schema" {
  triggers_replace = ["1"] # change it to migrate again

  provisioner "local-exec" {
    command     = var.migrate_command
    environment = { DATABASE_URL = ephemeral.neon_connection_uri.shop.uri }
  }
}
