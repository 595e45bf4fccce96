resource "neon_org_spending_limit" "monthly" {
  org_id               = var.org_id
  spending_limit_cents = 25000
}
