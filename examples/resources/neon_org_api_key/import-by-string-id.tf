import {
  to = neon_org_api_key.ci
  id = "org-wispy-meadow-12345678/1234567"
}
