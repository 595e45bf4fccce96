terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# The key is in NEON_API_KEY, the organization in NEON_ORG_ID.
provider "neon" {}

# It only reads, and shows that the key works.
data "neon_projects" "all" {}

output "projects" {
  value = { for project in data.neon_projects.all.projects : project.id => project.name }
}
