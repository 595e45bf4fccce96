terraform {
  required_version = ">= 1.11"

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

variable "signing_key" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "neon_function" "api" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  slug       = "api"
  source     = "${path.module}/api" # with index.mjs

  environment            = { LOG_LEVEL = "info" }
  environment_wo         = { SIGNING_KEY = var.signing_key }
  environment_wo_version = 1
}

output "address" {
  value = neon_function.api.invocation_url
}
