import {
  to = neon_custom_domain.api
  identity = {
    project_id = "wispy-meadow-12345678"
    branch_id  = "br-wispy-meadow-a1b2c3d4"
    domain     = "api.example.com"
  }
}
