import {
  to = neon_vpc_endpoint_assignment.office
  id = "org-wispy-meadow-12345678/aws-us-east-2/vpce-1234567890abcdef0"
}
