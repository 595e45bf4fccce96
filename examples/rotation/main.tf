# An API key that is replaced regularly. The new key is created before the old one is
# revoked, so that one of them is valid at any time.
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
