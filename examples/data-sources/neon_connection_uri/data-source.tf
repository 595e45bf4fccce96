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

# The password in the URL is written to the state.
data "neon_connection_uri" "app" {
  project_id    = var.project_id
  database_name = "neondb"
  role_name     = "neondb_owner"
  pooled        = true
}

output "database_url" {
  value     = data.neon_connection_uri.app.uri
  sensitive = true
}
