terraform {
  required_version = ">= 1.11"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    kubernetes = {
      source  = "hashicorp/kubernetes"
      version = ">= 3.2.1, < 4.0.0"
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

resource "kubernetes_secret_v1" "database" {
  metadata {
    name      = "database"
    namespace = "shop"
  }

  data_wo = {
    DATABASE_URL = ephemeral.neon_connection_uri.app.uri_pooled
  }
  data_wo_revision = var.secret_version
}
