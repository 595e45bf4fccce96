import {
  to = neon_org_spending_limit.monthly
  identity = {
    org_id = "org-wispy-meadow-12345678"
  }
}
