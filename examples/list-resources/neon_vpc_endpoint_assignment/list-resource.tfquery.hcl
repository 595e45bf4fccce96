# The VPC endpoints of the provider's organization, in all regions.
list "neon_vpc_endpoint_assignment" "all" {
  provider = neon
}
