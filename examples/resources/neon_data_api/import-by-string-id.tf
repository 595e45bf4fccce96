import {
  to = neon_data_api.shop
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/neondb"
}
