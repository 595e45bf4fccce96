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

data "neon_vpc_endpoints" "all" {
  org_id = var.org_id
}

output "endpoints_by_region" {
  value = {
    for endpoint in data.neon_vpc_endpoints.all.vpc_endpoints : endpoint.region_id => endpoint.vpc_endpoint_id...
  }
}
