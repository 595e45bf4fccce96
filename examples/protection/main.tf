terraform {
  required_providers {
    neon = { source = "seed-a7382548/neon", version = "~> 0.1" }
  }
}

variable "project_id" {
  type = string
}

provider "neon" {
  protect = ["project", "branch", "database"]
}

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
}
