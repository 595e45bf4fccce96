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

# People sign in with Neon Auth, whose tokens the Data API takes.
resource "neon_auth" "shop" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
}

resource "neon_data_api" "shop" {
  project_id         = var.project_id
  branch_id          = neon_auth.shop.branch_id # Neon Auth comes first.
  database_name      = "neondb"
  auth_provider      = "neon_auth"
  add_default_grants = true # Row-level security decides which rows.

  settings = {
    db_max_rows                 = 500
    server_cors_allowed_origins = "https://shop.example.com"
  }
}

output "url" {
  value = neon_data_api.shop.url
}
