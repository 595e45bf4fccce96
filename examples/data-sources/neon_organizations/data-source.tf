terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

data "neon_organizations" "mine" {}

output "organization_ids" {
  value = { for organization in data.neon_organizations.mine.organizations : organization.id => organization.name }
}
