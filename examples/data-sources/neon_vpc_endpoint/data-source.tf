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

resource "neon_vpc_endpoint_assignment" "reports" {
  org_id          = var.org_id
  region_id       = "aws-us-east-2"
  vpc_endpoint_id = "vpce-0aaaabbbbccccdddd" # aws_vpc_endpoint.reports.id

  # The default: Neon never takes an endpoint back that was removed.
  deletion_protection = true
}

data "neon_vpc_endpoint" "reports" {
  org_id          = neon_vpc_endpoint_assignment.reports.org_id
  region_id       = neon_vpc_endpoint_assignment.reports.region_id
  vpc_endpoint_id = neon_vpc_endpoint_assignment.reports.vpc_endpoint_id
}

output "restricted_to_reports" {
  value = data.neon_vpc_endpoint.reports.restricted_project_count
}
