# The organization's id and the key's id, from the API's list of keys:
# GET https://console.neon.tech/api/v2/organizations/{org_id}/api_keys
import {
  to = neon_org_api_key.ci
  id = "org-wispy-meadow-12345678/1234567"
}
