import {
  to = neon_org_invitation.anna
  identity = {
    org_id = "org-wispy-meadow-12345678"
    id     = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
  }
}
