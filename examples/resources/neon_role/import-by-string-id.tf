# The project's id, the branch's id and the role's name.
import {
  to = neon_role.app
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/app"
}
