terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

### Guarded twice
resource "neon_project" "accounts" {
  name                = "accounts"
  deletion_protection = true # Terraform refuses to destroy or replace it

  # Neon refuses to delete a protected branch, in the console too.
  default_branch = { protected = true }
}
