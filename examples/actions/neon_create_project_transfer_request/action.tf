terraform {
  required_version = ">= 1.14"

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

# terraform apply -invoke=action.neon_create_project_transfer_request.customer
action "neon_create_project_transfer_request" "customer" {
  config {
    project_id  = var.project_id
    ttl_seconds = 7 * 24 * 60 * 60
  }
}
