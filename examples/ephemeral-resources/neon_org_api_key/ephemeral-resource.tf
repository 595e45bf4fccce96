terraform {
  required_version = ">= 1.10"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "org_id" {
  type = string
}

variable "project_id" {
  type = string
}

# May work in one project only, and only while Terraform runs.
ephemeral "neon_org_api_key" "deploy" {
  org_id     = var.org_id
  project_id = var.project_id
  name       = "terraform-deploy"
}

provider "neon" {
  alias   = "deploy"
  api_key = ephemeral.neon_org_api_key.deploy.key
}

resource "neon_branch" "preview" {
  provider   = neon.deploy
  project_id = var.project_id
  name       = "preview"
}
