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

### Guarded twice
resource "neon_branch" "archive" {
  project_id          = var.project_id
  name                = "archive"
  protected           = true # Neon refuses to delete it, in the console too
  deletion_protection = true # Terraform refuses to destroy or replace it
}
