# The organization's id and the invitation's id, which the data source neon_org_invitations returns.
import {
  to = neon_org_invitation.anna
  id = "org-wispy-meadow-12345678/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
}
