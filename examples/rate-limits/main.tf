terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

provider "neon" {
  requests_per_minute = 200
}

data "neon_projects" "all" {}

output "projects" {
  value = length(data.neon_projects.all.projects)
}
