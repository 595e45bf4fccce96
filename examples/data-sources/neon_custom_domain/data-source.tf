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

resource "neon_custom_domain" "api" {
  project_id    = var.project_id
  branch_id     = neon_function.api.branch_id
  domain        = "api.example.com"
  function_slug = neon_function.api.slug
}

data "neon_custom_domain" "api" {
  project_id = var.project_id
  branch_id  = neon_custom_domain.api.branch_id
  domain     = neon_custom_domain.api.domain
}

# Each plan and apply warns, until the record is in DNS.
check "domain" {
  assert {
    condition     = data.neon_custom_domain.api.status == "active"
    error_message = "The domain isn't active: ${coalesce(data.neon_custom_domain.api.status_reason, "Neon doesn't say why")}."
  }
}
