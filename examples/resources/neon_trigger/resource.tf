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

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
}

resource "neon_function" "api" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  slug       = "api"
  source     = "${path.module}/api" # with index.mjs
}

resource "neon_trigger" "nightly" {
  project_id    = var.project_id
  branch_id     = neon_function.api.branch_id
  name          = "nightly"
  function_slug = neon_function.api.slug
  function_path = "/jobs/nightly"
  schedule      = { cron = "0 3 * * *" } # in UTC
}
