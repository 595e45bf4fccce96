# The organization's id.
terraform import neon_org_spending_limit.monthly org-wispy-meadow-12345678
