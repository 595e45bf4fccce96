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

data "neon_vpc_endpoint_restrictions" "all" {
  project_id = var.project_id
}

output "private_connections_through" {
  value = [for restriction in data.neon_vpc_endpoint_restrictions.all.restrictions : restriction.vpc_endpoint_id]
}
