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

resource "neon_project" "customer" {
  org_id = var.org_id
  name   = "customer"
}

# Whoever gets the link can take the project, for a week.
ephemeral "neon_project_transfer_request" "customer" {
  project_id   = neon_project.customer.id
  ttl_seconds  = 7 * 24 * 60 * 60
  redirect_url = "https://shop.example.com/welcome"
}

resource "terraform_data" "mail" {
  input = neon_project.customer.id

  provisioner "local-exec" {
    command     = "test -n \"$CLAIM_URL\" # In its place: what sends the mail."
    environment = { CLAIM_URL = ephemeral.neon_project_transfer_request.customer.claim_url }
  }
}
