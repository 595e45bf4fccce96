# The ids of the project and the branch, and the domain.
import {
  to = neon_custom_domain.api
  id = "wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/api.example.com"
}
