# The project's id and the branch's id.
terraform import neon_anonymized_branch.preview wispy-meadow-12345678/br-wispy-meadow-a1b2c3d4
