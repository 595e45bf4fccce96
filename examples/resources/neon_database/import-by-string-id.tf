# The project's id, the branch's id and the database's name.
import {
  to = neon_database.shop
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/shop"
}
