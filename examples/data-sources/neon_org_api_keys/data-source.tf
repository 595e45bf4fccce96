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

# Keys that may do anything in the organization, rather than in one project alone.
data "neon_org_api_keys" "all" {
  org_id = var.org_id
}

output "powerful_keys" {
  value = [for key in data.neon_org_api_keys.all.keys : key.name if key.project_id == null]
}
