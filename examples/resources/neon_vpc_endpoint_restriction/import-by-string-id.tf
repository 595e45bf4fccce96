# The project's id and the endpoint's id in AWS.
import {
  to = neon_vpc_endpoint_restriction.payroll
  id = "wispy-meadow-12345678/vpce-0fedcba0987654321"
}
