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

variable "member_id" {
  type = string
}

resource "neon_project_member_role" "max" {
  project_id = var.project_id
  member_id  = var.member_id
  role       = "editor"
}
