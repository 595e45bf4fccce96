terraform {
  required_version = ">= 1.11"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
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

resource "aws_secretsmanager_secret" "database_url" {
  name = "shop/database-url"
}

resource "aws_secretsmanager_secret_version" "database_url" {
  secret_id                = aws_secretsmanager_secret.database_url.id
  secret_string_wo         = ephemeral.neon_connection_uri.app.uri
  secret_string_wo_version = var.secret_version
}
