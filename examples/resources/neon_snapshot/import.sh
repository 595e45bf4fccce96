# The project's id and the snapshot's id.
terraform import neon_snapshot.before_migration wispy-meadow-12345678/snap-wispy-meadow-a1b2c3d4
