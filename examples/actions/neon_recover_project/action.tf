terraform {
  required_version = ">= 1.14"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "deleted_project_id" {
  type = string
}

# terraform apply -invoke=action.neon_recover_project.lost
action "neon_recover_project" "lost" {
  config {
    project_id = var.deleted_project_id
  }
}
