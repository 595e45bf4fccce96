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

variable "project_id" {
  type = string
}

# May work in one project only.
resource "neon_org_api_key" "ci" {
  org_id     = var.org_id
  project_id = var.project_id
  name       = "ci"
}

output "ci_key" {
  value     = neon_org_api_key.ci.key
  sensitive = true
}
