# The project's id and the endpoint's id.
terraform import neon_endpoint.reports wispy-meadow-12345678/ep-wispy-meadow-a1b2c3d4
