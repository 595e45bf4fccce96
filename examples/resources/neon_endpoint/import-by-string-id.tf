# The project's id and the endpoint's id.
import {
  to = neon_endpoint.reports
  id = "wispy-meadow-12345678/ep-wispy-meadow-a1b2c3d4"
}
