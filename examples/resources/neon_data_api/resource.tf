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

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
  endpoints  = { primary = { type = "read_write" } }
}

# Whose tokens identify the users.
resource "neon_jwks_url" "auth" {
  project_id    = var.project_id
  branch_id     = neon_branch.staging.id
  jwks_url      = "https://auth.example.com/.well-known/jwks.json"
  provider_name = "Example"
}

resource "neon_data_api" "shop" {
  project_id    = var.project_id
  branch_id     = neon_branch.staging.id
  database_name = "neondb"

  settings = {
    db_max_rows                 = 500
    server_cors_allowed_origins = "https://shop.example.com"
  }
}

output "url" {
  value = neon_data_api.shop.url
}
