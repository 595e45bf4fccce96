# The project's id.
terraform import neon_project.shop wispy-meadow-12345678
