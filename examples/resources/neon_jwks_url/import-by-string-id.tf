# The project's id and the id of the JWKS URL, which the data source neon_jwks_urls returns.
import {
  to = neon_jwks_url.auth
  id = "wispy-meadow-12345678/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
}
