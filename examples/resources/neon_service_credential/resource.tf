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

# Its secrets are in no state. What stores them takes them as write-only attributes, for instance:
#
#   resource "aws_ssm_parameter" "storage_key" {
#     name             = "/app/storage-key"
#     type             = "SecureString"
#     value_wo         = ephemeral.neon_service_credential_secret.app.s3_secret_access_key
#     value_wo_version = neon_service_credential.app.secret_version
#   }
ephemeral "neon_service_credential_secret" "app" {
  project_id = var.project_id
  branch_id  = neon_service_credential.app.branch_id
  token_id   = neon_service_credential.app.token_id
}
