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

resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = neon_function.api.branch_id
  name       = "preview"
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

# The preview runs production's code, at an address of its own.
data "neon_function" "api" {
  project_id = var.project_id
  branch_id  = neon_branch.preview.id
  slug       = neon_function.api.slug
}

output "address" {
  value = data.neon_function.api.invocation_url
}
