import {
  to = neon_service_credential.app
  identity = {
    project_id = "wispy-meadow-12345678"
    branch_id  = "br-wispy-meadow-a1b2c3d4"
    token_id   = "nak_live_0123456789abcdef0123456789abcdef"
  }
}
