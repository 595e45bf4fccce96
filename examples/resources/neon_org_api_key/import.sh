# The organization's id and the key's id, from the API's list of keys:
# GET https://console.neon.tech/api/v2/organizations/{org_id}/api_keys
terraform import neon_org_api_key.ci org-wispy-meadow-12345678/1234567
