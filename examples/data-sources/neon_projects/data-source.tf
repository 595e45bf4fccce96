terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "org_id" {
  type = string
}

# All projects of the organization whose name or id contains "shop".
data "neon_projects" "shop" {
  org_id = var.org_id
  search = "shop"
}

output "shop_project_ids" {
  value = { for project in data.neon_projects.shop.projects : project.name => project.id... }
}
