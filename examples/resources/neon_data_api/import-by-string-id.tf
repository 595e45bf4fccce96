# The ids of the project and the branch, and the name of the database.
import {
  to = neon_data_api.shop
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/neondb"
}
