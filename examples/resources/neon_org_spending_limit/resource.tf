terraform {
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

# 250 dollars: Neon writes at 200 and at 250, and goes on.
resource "neon_org_spending_limit" "monthly" {
  org_id               = var.org_id
  spending_limit_cents = 25000
}
