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

resource "neon_vpc_endpoint_assignment" "payroll" {
  org_id          = var.org_id
  region_id       = "aws-us-east-2"
  vpc_endpoint_id = "vpce-0fedcba0987654321" # aws_vpc_endpoint.payroll.id

  # The default: Neon never takes an endpoint back that was removed.
  deletion_protection = true
}

# Of the organization's endpoints, this project accepts connections through this one alone.
resource "neon_vpc_endpoint_restriction" "payroll" {
  project_id      = var.project_id
  vpc_endpoint_id = neon_vpc_endpoint_assignment.payroll.vpc_endpoint_id
  label           = "payroll"
}
