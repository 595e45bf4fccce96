# The organization's id and the member's id, which the data source neon_org_members returns.
import {
  to = neon_org_member_role.max
  id = "org-wispy-meadow-12345678/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
}
