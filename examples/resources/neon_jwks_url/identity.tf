import {
  to = neon_jwks_url.auth
  identity = {
    project_id = "wispy-meadow-12345678"
    id         = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
  }
}
