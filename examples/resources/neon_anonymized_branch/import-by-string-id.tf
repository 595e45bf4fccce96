# The project's id and the branch's id.
import {
  to = neon_anonymized_branch.preview
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4"
}
