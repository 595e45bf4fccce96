# The organization's id and the key's id, which the data source neon_org_api_keys returns.
import {
  to = neon_org_api_key.ci
  id = "org-wispy-meadow-12345678/1234567"
}
