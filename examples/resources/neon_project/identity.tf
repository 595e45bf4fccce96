import {
  to = neon_project.shop
  identity = {
    id = "wispy-meadow-12345678"
  }
}
