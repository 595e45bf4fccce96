terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# It changes nothing. Without read_only, it still deletes none of these.
provider "neon" {
  read_only = true
  protect   = ["project", "branch", "database"]
}

data "neon_projects" "all" {}

output "projects" {
  value = { for project in data.neon_projects.all.projects : project.id => project.name }
}
