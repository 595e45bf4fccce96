import {
  to = neon_api_key.deploy
  id = "1234567"
}
