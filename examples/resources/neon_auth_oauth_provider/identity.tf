import {
  to = neon_auth_oauth_provider.google
  identity = {
    project_id     = "wispy-meadow-12345678"
    branch_id      = "br-wispy-meadow-a1b2c3d4"
    oauth_provider = "google"
  }
}
