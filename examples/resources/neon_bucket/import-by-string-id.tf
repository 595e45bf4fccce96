# The ids of the project and the branch, and the name.
import {
  to = neon_bucket.uploads
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/uploads"
}
