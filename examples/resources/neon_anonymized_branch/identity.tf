import {
  to = neon_anonymized_branch.preview
  identity = {
    project_id = "wispy-meadow-12345678"
    id         = "br-wispy-meadow-a1b2c3d4"
  }
}
