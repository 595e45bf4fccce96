import {
  to = neon_api_key.deploy
  identity = {
    key_id = "1234567"
  }
}
