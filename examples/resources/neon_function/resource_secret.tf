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

variable "signing_key" {
  type      = string
  sensitive = true
  ephemeral = true
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

### With variables, one of them a secret that no state holds (Terraform 1.11)
resource "neon_function" "webhook" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  slug       = "webhook"
  source     = "${path.module}/api"

  environment            = { LOG_LEVEL = "info" }
  environment_wo         = { SIGNING_KEY = var.signing_key }
  environment_wo_version = 1 # raise it to send the secrets again
}
