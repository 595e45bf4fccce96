# The key's id, which the data source neon_api_keys returns.
import {
  to = neon_api_key.deploy
  id = "1234567"
}
