# The project's id and the endpoint's id in AWS.
terraform import neon_vpc_endpoint_restriction.payroll wispy-meadow-12345678/vpce-0fedcba0987654321
