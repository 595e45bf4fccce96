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

variable "repository" {
  description = "The repository at GitHub, such as acme/shop."
  type        = string
}

# gh reads the secret from its standard input, so that no other process sees it.
resource "terraform_data" "database_url" {
  triggers_replace = [var.repository, var.secret_version]

  provisioner "local-exec" {
    command = "printf %s \"$DATABASE_URL\" | gh secret set DATABASE_URL --repo \"$REPOSITORY\""
    environment = {
      DATABASE_URL = ephemeral.neon_connection_uri.app.uri
      REPOSITORY   = var.repository
    }
  }
}
