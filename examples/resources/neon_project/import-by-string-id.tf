# The project's id.
import {
  to = neon_project.shop
  id = "wispy-meadow-12345678"
}
