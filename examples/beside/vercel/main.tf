terraform {
  required_version = ">= 1.11"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    vercel = {
      source  = "vercel/vercel"
      version = "~> 4.8"
    }
  }
}

variable "project_id" {
  description = "Id of the project at Neon."
  type        = string
}

variable "secret_version" {
  description = "Raise it when the password has changed: the secret is then written again."
  type        = number
  default     = 1
}

ephemeral "neon_connection_uri" "app" {
  project_id    = var.project_id
  database_name = "neondb"
  role_name     = "neondb_owner"
}

variable "vercel_project_id" {
  type = string
}

resource "vercel_project_environment_variable" "database_url" {
  project_id       = var.vercel_project_id
  key              = "DATABASE_URL"
  value_wo         = ephemeral.neon_connection_uri.app.uri_pooled
  value_wo_version = var.secret_version
  target           = ["production"]
  sensitive        = true
}
