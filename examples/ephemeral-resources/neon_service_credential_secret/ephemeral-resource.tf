terraform {
  required_version = ">= 1.10"

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

resource "neon_service_credential" "app" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  name       = "app"
  scopes     = ["storage:write"]
}

ephemeral "neon_service_credential_secret" "app" {
  project_id = var.project_id
  branch_id  = neon_service_credential.app.branch_id
  token_id   = neon_service_credential.app.token_id
}

# For instance a write-only attribute of another provider takes the secrets.
resource "terraform_data" "app" {
  provisioner "local-exec" {
    command = "test -n \"$API_TOKEN\""
    environment = {
      API_TOKEN = ephemeral.neon_service_credential_secret.app.api_token
    }
  }
}
