# A bucket, and a function that Neon calls for each upload: of production, on the project's default branch, or of a preview, on a
# branch of its own.
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

variable "preview" {
  description = "Name of a preview, such as pr-17. Without it, this is production."
  type        = string
  default     = null
}

variable "stripe_key" {
  description = "A secret of the application. Neither the state nor a plan file has it."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "secrets_version" {
  description = "Any other number deploys the function with the present secret."
  type        = number
  default     = 1
}

data "neon_project" "this" {
  id = var.project_id
}

resource "neon_branch" "preview" {
  count = var.preview == null ? 0 : 1

  project_id = var.project_id
  name       = "preview/${var.preview}"
  expires_in = "168h"
}

locals {
  branch_id = var.preview == null ? data.neon_project.this.default_branch.id : one(neon_branch.preview[*].id)
}

resource "neon_bucket" "uploads" {
  project_id    = var.project_id
  branch_id     = local.branch_id
  name          = "uploads"
  force_destroy = var.preview != null
}

resource "neon_function" "api" {
  project_id = var.project_id
  branch_id  = local.branch_id
  slug       = "api"
  source     = "${path.module}/api" # with index.mjs

  # What the branch has, Neon gives to the function by itself: DATABASE_URL, and for the bucket AWS_ENDPOINT_URL_S3,
  # AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which S3 clients look for.
  environment            = { BUCKET = neon_bucket.uploads.name }
  environment_wo         = { STRIPE_KEY = var.stripe_key }
  environment_wo_version = var.secrets_version
}

# Neon calls the function for each object that is uploaded.
resource "neon_trigger" "uploaded" {
  project_id             = var.project_id
  branch_id              = local.branch_id
  name                   = "uploaded"
  function_slug          = neon_function.api.slug
  function_path          = "/uploaded"
  enabled                = true # Where production has it too, it is off on a new branch.
  storage_object_created = { bucket_name = neon_bucket.uploads.name }
}

output "address" {
  value = neon_function.api.invocation_url
}
