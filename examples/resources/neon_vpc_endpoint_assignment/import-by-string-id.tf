# The organization's id, the region's id and the endpoint's id in AWS.
import {
  to = neon_vpc_endpoint_assignment.office
  id = "org-wispy-meadow-12345678/aws-us-east-2/vpce-1234567890abcdef0"
}
