import {
  to = neon_org_api_key.ci
  identity = {
    org_id = "org-wispy-meadow-12345678"
    id     = "1234567"
  }
}
