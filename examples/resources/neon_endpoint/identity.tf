import {
  to = neon_endpoint.reports
  identity = {
    project_id = "wispy-meadow-12345678"
    id         = "ep-wispy-meadow-a1b2c3d4"
  }
}
