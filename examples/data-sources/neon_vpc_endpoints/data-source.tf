variable "org_id" {
  type = string
}

data "neon_vpc_endpoints" "all" {
  org_id = var.org_id
}

output "endpoints_by_region" {
  value = {
    for endpoint in data.neon_vpc_endpoints.all.vpc_endpoints : endpoint.region_id => endpoint.vpc_endpoint_id...
  }
}
