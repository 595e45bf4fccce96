import {
  to = neon_data_api.shop
  identity = {
    project_id    = "wispy-meadow-12345678"
    branch_id     = "br-wispy-meadow-a1b2c3d4"
    database_name = "neondb"
  }
}
