# An API key that is replaced every so often. The new key is made before the old
# one is revoked, so that whoever takes the key from the output or from a secret
# store is never without one.
terraform {
  required_version = ">= 1.8"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
    time = {
      source  = "hashicorp/time"
      version = ">= 0.9"
    }
  }
}

provider "neon" {}

resource "time_rotating" "key" {
  rfc3339       = var.rotate_from
  rotation_days = var.rotation_days
}

resource "neon_api_key" "deploy" {
  name = "deploy"

  rotation_triggers = {
    rotated_at = time_rotating.key.id
  }

  lifecycle {
    create_before_destroy = true
  }
}
