import {
  to = neon_snapshot.before_migration
  identity = {
    project_id = "wispy-meadow-12345678"
    id         = "snap-wispy-meadow-a1b2c3d4"
  }
}
