terraform {
  required_version = ">= 1.11"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    vault = {
      source  = "hashicorp/vault"
      version = "~> 5.0"
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

resource "vault_kv_secret_v2" "database" {
  mount = "secret"
  name  = "shop/database"

  data_json_wo = jsonencode({
    url      = ephemeral.neon_connection_uri.app.uri
    password = ephemeral.neon_connection_uri.app.password
  })
  data_json_wo_version = var.secret_version
}
