# The organization's id.
import {
  to = neon_org_spending_limit.monthly
  id = "org-wispy-meadow-12345678"
}
