terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# Keys that were never used.
data "neon_api_keys" "mine" {}

output "unused_keys" {
  value = [for key in data.neon_api_keys.mine.keys : key.name if key.last_used_at == null]
}
