# The backend of one pull request, on a branch of its own: a bucket, a function that works on it, and the
# credential by which it does.
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
  description = "Id of the project."
  type        = string
}

variable "pull_request" {
  description = "Number of the pull request."
  type        = number
}

variable "secrets_version" {
  description = "Any other number gives the credential new secrets, and the function with them."
  type        = number
  default     = 1
}

resource "neon_branch" "preview" {
  project_id = var.project_id
  name       = "preview/pr-${var.pull_request}"
  expires_in = "168h"
}

resource "neon_bucket" "uploads" {
  project_id    = var.project_id
  branch_id     = neon_branch.preview.id
  name          = "uploads"
  force_destroy = true # It is only a preview.
}

resource "neon_service_credential" "api" {
  project_id        = var.project_id
  branch_id         = neon_branch.preview.id
  name              = "api"
  scopes            = ["storage:write"]
  rotation_triggers = { version = var.secrets_version }
}

# Its secrets go to the function, and neither into the state nor into a plan file.
ephemeral "neon_service_credential_secret" "api" {
  project_id = var.project_id
  branch_id  = neon_service_credential.api.branch_id
  token_id   = neon_service_credential.api.token_id
}

data "neon_branch_storage" "preview" {
  project_id = var.project_id
  branch_id  = neon_branch.preview.id
}

resource "neon_function" "api" {
  project_id = var.project_id
  branch_id  = neon_branch.preview.id
  slug       = "api"
  source     = "${path.module}/api" # with index.mjs

  # S3 clients look for these variables.
  environment = {
    AWS_ENDPOINT_URL_S3 = data.neon_branch_storage.preview.s3_endpoint
    AWS_REGION          = data.neon_branch_storage.preview.region
    AWS_ACCESS_KEY_ID   = neon_service_credential.api.token_id
    BUCKET              = neon_bucket.uploads.name
  }
  environment_wo = {
    AWS_SECRET_ACCESS_KEY = ephemeral.neon_service_credential_secret.api.s3_secret_access_key
  }
  # Another number sends the secret again: when it is asked for, and for another credential.
  environment_wo_version = parseint(substr(sha256("${neon_service_credential.api.token_id} ${var.secrets_version}"), 0, 8), 16)
}

# Neon calls the function for each object that is uploaded.
resource "neon_trigger" "uploaded" {
  project_id             = var.project_id
  branch_id              = neon_branch.preview.id
  name                   = "uploaded"
  function_slug          = neon_function.api.slug
  function_path          = "/uploaded"
  storage_object_created = { bucket_name = neon_bucket.uploads.name }
}

output "address" {
  value = neon_function.api.invocation_url
}
