import {
  to = neon_api_key.deploy
  identity = {
    id = "1234567"
  }
}
