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

resource "neon_branch" "next" {
  project_id = var.project_id
  name       = "next"
}

# terraform apply -invoke=action.neon_set_default_branch.next
action "neon_set_default_branch" "next" {
  config {
    project_id = var.project_id
    branch_id  = neon_branch.next.id
  }
}
