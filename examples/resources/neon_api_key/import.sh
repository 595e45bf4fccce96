# The number is the key's id, from the API's list of keys:
# GET https://console.neon.tech/api/v2/api_keys
terraform import neon_api_key.deploy 1234567
