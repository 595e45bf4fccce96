import {
  to = neon_function.api
  identity = {
    project_id = "wispy-meadow-12345678"
    branch_id  = "br-wispy-meadow-a1b2c3d4"
    slug       = "api"
  }
}
