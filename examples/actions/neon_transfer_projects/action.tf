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

variable "other_org_id" {
  type = string
}

variable "project_id" {
  type = string
}

# terraform apply -invoke=action.neon_transfer_projects.sold
action "neon_transfer_projects" "sold" {
  config {
    source_org_id      = var.org_id
    destination_org_id = var.other_org_id
    project_ids        = [var.project_id]
  }
}
