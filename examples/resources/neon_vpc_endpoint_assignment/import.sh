# The organization's id, the region's id and the endpoint's id in AWS.
terraform import neon_vpc_endpoint_assignment.office org-wispy-meadow-12345678/aws-us-east-2/vpce-1234567890abcdef0
