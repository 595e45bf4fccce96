terraform {
  required_version = ">= 1.11"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "~> 5.0"
    }
  }
}

variable "project_id" {
  description = "Id of the project at Neon."
  type        = string
}

variable "cloudflare_account_id" {
  type = string
}

data "neon_project" "shop" {
  id = var.project_id
}

resource "neon_role" "hyperdrive" {
  project_id = var.project_id
  branch_id  = data.neon_project.shop.default_branch.id
  name       = "hyperdrive"
}

data "neon_connection_uri" "hyperdrive" {
  project_id    = var.project_id
  database_name = "neondb"
  role_name     = neon_role.hyperdrive.name
}

resource "cloudflare_hyperdrive_config" "shop" {
  account_id = var.cloudflare_account_id
  name       = "shop"

  origin = {
    scheme   = "postgres"
    host     = data.neon_project.shop.default_branch.endpoint.host
    port     = 5432
    database = "neondb"
    user     = neon_role.hyperdrive.name
    password = regex("://[^:]+:([^@]+)@", data.neon_connection_uri.hyperdrive.uri)[0]
  }
}
