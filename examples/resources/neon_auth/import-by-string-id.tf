# The ids of the project and the branch.
import {
  to = neon_auth.shop
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4"
}
