terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

### To replace a key on a date of your choice
resource "neon_api_key" "nightly" {
  name = "nightly"

  # Any change here creates a new key.
  rotation_triggers = {
    quarter = "2027-Q1"
  }

  # The new key is created first, and the old one revoked afterwards.
  lifecycle {
    create_before_destroy = true
  }
}
