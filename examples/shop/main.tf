terraform {
  required_providers {
    neon = { source = "seed-a7382548/neon", version = "~> 0.1" }
  }
}

resource "neon_project" "shop" { name = "shop" }

resource "neon_branch" "preview" {
  project_id = neon_project.shop.id
  name       = "preview/pr-17"
  endpoints  = { app = { type = "read_write" } }
}

output "host" { value = neon_branch.preview.endpoints["app"].pooler_host }
