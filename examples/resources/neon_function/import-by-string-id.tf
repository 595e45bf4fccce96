# The ids of the project and the branch, and the slug.
import {
  to = neon_function.api
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/api"
}
