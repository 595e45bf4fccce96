import {
  to = neon_vpc_endpoint_restriction.payroll
  identity = {
    project_id      = "wispy-meadow-12345678"
    vpc_endpoint_id = "vpce-0fedcba0987654321"
  }
}
