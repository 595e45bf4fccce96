# The project's id and the snapshot's id.
import {
  to = neon_snapshot.before_migration
  id = "wispy-meadow-12345678/snap-wispy-meadow-a1b2c3d4"
}
