# The number is the key's id, from the API's list of keys:
# GET https://console.neon.tech/api/v2/api_keys
import {
  to = neon_api_key.deploy
  id = "1234567"
}
