# The project's id and the branch's id.
import {
  to = neon_branch.staging
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4"
}
