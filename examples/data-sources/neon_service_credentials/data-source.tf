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

data "neon_project" "shop" {
  id = var.project_id
}

data "neon_service_credentials" "all" {
  project_id = var.project_id
  branch_id  = data.neon_project.shop.default_branch.id
}

output "may_write" {
  value = [for credential in data.neon_service_credentials.all.service_credentials : credential.name if contains(credential.scopes, "storage:write")]
}
