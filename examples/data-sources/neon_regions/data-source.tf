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

# The regions that new projects of the organization can be created in.
data "neon_regions" "available" {
  org_id = var.org_id
}

output "default_region_id" {
  value = one([for region in data.neon_regions.available.regions : region.id if region.default])
}
