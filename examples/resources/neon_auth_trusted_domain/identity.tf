import {
  to = neon_auth_trusted_domain.shop
  identity = {
    project_id = "wispy-meadow-12345678"
    branch_id  = "br-wispy-meadow-a1b2c3d4"
    domain     = "https://shop.example.com"
  }
}
