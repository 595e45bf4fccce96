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

resource "neon_data_api" "shop" {
  project_id    = var.project_id
  branch_id     = neon_branch.staging.id
  database_name = "neondb"
}

# One that is there. The example creates it first, so that you can apply it as it is.
data "neon_data_api" "shop" {
  project_id    = var.project_id
  branch_id     = neon_branch.staging.id
  database_name = neon_data_api.shop.database_name
}

output "schemas" {
  value = data.neon_data_api.shop.available_schemas
}
