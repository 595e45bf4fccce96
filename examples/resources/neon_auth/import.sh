# The ids of the project and the branch.
terraform import neon_auth.shop wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4
