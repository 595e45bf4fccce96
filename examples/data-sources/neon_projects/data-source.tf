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

# The deleted ones that can still be recovered, and until when.
data "neon_projects" "deleted" {
  org_id      = var.org_id
  recoverable = true
}

output "recoverable_until" {
  value = { for project in data.neon_projects.deleted.projects : project.id => project.recoverable_until }
}
