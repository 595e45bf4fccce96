terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# Names of projects need not be unique: several of one name are an error.
data "neon_project" "shop" {
  name = "web-shop"
}

resource "neon_branch" "staging" {
  project_id = data.neon_project.shop.id
  parent_id  = data.neon_project.shop.default_branch.id
  name       = "staging"
}
