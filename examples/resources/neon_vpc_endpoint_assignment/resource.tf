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

variable "vpc_endpoint_id" {
  type    = string
  default = "vpce-1234567890abcdef0" # aws_vpc_endpoint.neon.id
}

resource "neon_vpc_endpoint_assignment" "office" {
  org_id          = var.org_id
  region_id       = "aws-us-east-2"
  vpc_endpoint_id = var.vpc_endpoint_id
  label           = "office"

  # The default: Neon never takes an endpoint back that was removed.
  deletion_protection = true
}
