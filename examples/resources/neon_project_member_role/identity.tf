import {
  to = neon_project_member_role.max
  identity = {
    project_id = "wispy-meadow-12345678"
    member_id  = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
  }
}
