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

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

resource "neon_function" "api" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  slug       = "api"
  source     = "${path.module}/api" # with index.mjs
}

output "address" {
  value = neon_function.api.invocation_url
}
