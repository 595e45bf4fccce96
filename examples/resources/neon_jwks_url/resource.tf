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

resource "neon_jwks_url" "auth" {
  project_id    = var.project_id
  jwks_url      = "https://auth.example.com/.well-known/jwks.json"
  provider_name = "Example"
  jwt_audience  = "shop"
}
