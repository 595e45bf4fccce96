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

ephemeral "neon_connection_uri" "app" {
  project_id    = var.project_id
  database_name = "neondb"
  role_name     = "neondb_owner"
}

# Provisioners, provider blocks and write-only attributes take ephemeral values.
resource "terraform_data" "schema" {
  triggers_replace = ["1"] # change it to migrate again

  provisioner "local-exec" {
    command     = var.migrate_command
    environment = { DATABASE_URL = ephemeral.neon_connection_uri.app.uri }
  }
}
