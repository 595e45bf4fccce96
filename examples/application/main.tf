# All that an application has at Neon: users who sign in with Neon Auth, and the Data API that serves them. Production is on
# the project's default branch. A preview is the same on a branch of its own, whose data is masked.
terraform {
  required_version = ">= 1.11" # write-only attributes

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# NEON_API_KEY
provider "neon" {}

data "neon_project" "shop" {
  id = var.project_id
}

# A copy of production in which nobody can be recognized.
resource "neon_anonymized_branch" "preview" {
  count = var.preview == null ? 0 : 1

  project_id    = var.project_id
  name          = "preview/${var.preview}"
  masking_rules = [for column in var.masked_columns : merge({ database_name = var.database_name }, column)]
}

locals {
  branch_id = var.preview == null ? data.neon_project.shop.default_branch.id : one(neon_anonymized_branch.preview[*].id)
}

# People sign up with their address, which they have to verify, or with an account that they have elsewhere.
# A preview has production's users and settings, masked, and makes them its own.
resource "neon_auth" "shop" {
  project_id    = var.project_id
  branch_id     = local.branch_id
  database_name = var.database_name

  allow_localhost = false
  email_and_password = {
    require_email_verification         = true
    send_verification_email_on_sign_up = true
  }

  email_provider = {
    type         = "standard"
    host         = "smtp.example.com"
    port         = 587
    username     = "shop"
    sender_email = "hello@shop.example.com"
    sender_name  = "Shop"
  }
  email_provider_password_wo         = var.smtp_password
  email_provider_password_wo_version = var.secrets_version
}

resource "neon_auth_oauth_provider" "shop" {
  for_each = var.oauth_client_ids

  project_id     = neon_auth.shop.project_id
  branch_id      = neon_auth.shop.branch_id
  oauth_provider = each.key

  client_id                = each.value
  client_secret_wo         = var.oauth_client_secrets[each.key]
  client_secret_wo_version = var.secrets_version

  lifecycle {
    replace_triggered_by = [neon_auth.shop.id] # Another Neon Auth begins without them.
  }
}

resource "neon_auth_trusted_domain" "shop" {
  project_id = neon_auth.shop.project_id
  branch_id  = neon_auth.shop.branch_id
  domain     = var.address

  lifecycle {
    replace_triggered_by = [neon_auth.shop.id]
  }
}

# Pages of the shop read and write with the token of who is signed in.
resource "neon_data_api" "shop" {
  project_id    = neon_auth.shop.project_id
  branch_id     = neon_auth.shop.branch_id
  database_name = var.database_name
  auth_provider = "neon_auth"

  settings = {
    db_max_rows                 = 500
    server_cors_allowed_origins = var.address
  }
}

# Staff sign in at the company's own provider, whose tokens count as well.
resource "neon_jwks_url" "staff" {
  project_id    = neon_data_api.shop.project_id
  branch_id     = neon_data_api.shop.branch_id
  jwks_url      = "https://login.example.com/.well-known/jwks.json"
  provider_name = "Staff"
}
