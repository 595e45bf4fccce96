terraform {
  required_version = ">= 1.14"

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

variable "request_id" {
  type      = string
  sensitive = true
}

# terraform apply -invoke=action.neon_accept_project_transfer.shop
action "neon_accept_project_transfer" "shop" {
  config {
    project_id = var.project_id
    request_id = var.request_id
    org_id     = var.org_id
  }
}
