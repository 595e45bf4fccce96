# A database for 72 hours, and an env file for the application that uses it: what
# `npx neon-new` does on the command line.
terraform {
  required_version = ">= 1.8"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    local = {
      source  = "hashicorp/local"
      version = ">= 2.2"
    }
  }
}

provider "neon" {}

resource "neon_claimable_database" "trial" {
  ref                        = var.ref
  enable_logical_replication = var.enable_logical_replication
}

# Terraform owns the whole file, and removes it with the rest: give it a file of
# its own. Only its owner can read it.
resource "local_sensitive_file" "env" {
  filename        = var.env_file
  file_permission = "0600"
  content         = provider::neon::env_file(neon_claimable_database.trial, { key = var.key, prefix = var.prefix })
}
