terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# In the organization that the provider has, by org_id or NEON_ORG_ID.
resource "neon_project" "shop" {
  name = "shop"
}

output "branch_id" {
  value = neon_project.shop.default_branch.id
}

output "host" {
  value = neon_project.shop.default_branch.endpoint.pooler_host
}
