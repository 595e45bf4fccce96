import {
  to = neon_vpc_endpoint_assignment.office
  identity = {
    org_id          = "org-wispy-meadow-12345678"
    region_id       = "aws-us-east-2"
    vpc_endpoint_id = "vpce-1234567890abcdef0"
  }
}
