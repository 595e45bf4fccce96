# Imports the database that came with the project.
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

variable "branch_id" {
  type = string
}

import {
  to = neon_database.first
  id = "${var.project_id}/${var.branch_id}/neondb"
}

resource "neon_database" "first" {
  project_id = var.project_id
  branch_id  = var.branch_id
  name       = "neondb"
  owner_name = "neondb_owner"

  lifecycle {
    destroy = false
  }
}
