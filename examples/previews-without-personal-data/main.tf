terraform {
  required_version = ">= 1.8"
  required_providers {
    neon = { source = "seed-a7382548/neon", version = "~> 0.1" }
  }
}

variable "project_id" {
  type = string
}

data "neon_project" "shop" {
  id = var.project_id
}

# Production's data, in which nobody can be recognized.
resource "neon_anonymized_branch" "anonymized" {
  project_id = var.project_id
  parent_id  = data.neon_project.shop.default_branch.id
  name       = "anonymized"

  masking_rules = [
    {
      database_name    = "neondb"
      schema_name      = "public"
      table_name       = "customers"
      column_name      = "email"
      masking_function = "anon.fake_email()"
    },
    {
      database_name = "neondb"
      schema_name   = "public"
      table_name    = "customers"
      column_name   = "note"
      masking_value = "'hidden'" # A literal of SQL, with quotes of its own.
    },
  ]
}

# A preview has the masked data, and nothing of production's.
resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = neon_anonymized_branch.anonymized.id
  name       = "preview/pr-17"
  expires_in = "72h"

  endpoints = {
    primary = { type = "read_write" }
  }
}

data "neon_connection_uri" "preview" {
  project_id    = var.project_id
  branch_id     = neon_branch.preview.id
  endpoint_id   = neon_branch.preview.endpoints["primary"].id
  database_name = "neondb"
  role_name     = "neondb_owner"
}

output "preview_url" {
  value     = data.neon_connection_uri.preview.uri
  sensitive = true
}
