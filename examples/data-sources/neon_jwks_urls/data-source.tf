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

data "neon_jwks_urls" "all" {
  project_id = var.project_id
}

output "trusted_providers" {
  value = [for jwks in data.neon_jwks_urls.all.jwks_urls : jwks.provider_name]
}
