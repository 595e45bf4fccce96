# The ids of the project and the branch, and the name.
terraform import neon_bucket.uploads wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4/uploads
