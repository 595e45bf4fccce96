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

variable "hyperdrive_password" {
  description = "Password of the role that Hyperdrive connects as."
  type        = string
  sensitive   = true
}

data "neon_project" "shop" {
  id = var.project_id
}

# Hyperdrive is a pooler itself, so it takes the direct host.
resource "cloudflare_hyperdrive_config" "shop" {
  account_id = var.cloudflare_account_id
  name       = "shop"

  origin = {
    scheme   = "postgres"
    host     = data.neon_project.shop.default_branch.endpoint.host
    port     = 5432
    database = "neondb"
    user     = "hyperdrive"
    password = var.hyperdrive_password
  }
}
