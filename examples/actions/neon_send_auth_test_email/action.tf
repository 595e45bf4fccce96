terraform {
  required_version = ">= 1.14"

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

variable "smtp_password" {
  type      = string
  ephemeral = true
  default   = "change-me"
}

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
  endpoints  = { primary = { type = "read_write" } }
}

resource "neon_auth" "shop" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id

  email_provider = {
    type         = "standard"
    host         = "smtp.example.com"
    port         = 465
    username     = "shop"
    sender_email = "shop@example.com"
    sender_name  = "Shop"
  }
  email_provider_password_wo         = var.smtp_password
  email_provider_password_wo_version = 1
}

# terraform apply -invoke=action.neon_send_auth_test_email.shop
action "neon_send_auth_test_email" "shop" {
  config {
    project_id      = var.project_id
    branch_id       = neon_auth.shop.branch_id
    recipient_email = "anna@example.com"
  }
}
