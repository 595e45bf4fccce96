# The project's id and the permission's id, which the data source neon_project_permissions returns.
import {
  to = neon_project_permission.anna
  id = "wispy-meadow-12345678/0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
}
