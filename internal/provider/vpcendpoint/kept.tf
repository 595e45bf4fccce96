resource "neon_vpc_endpoint_assignment" "office" {
  org_id              = var.org_id
  region_id           = neon_project.shop.region_id
  vpc_endpoint_id     = "vpce-1234567890abcdef0"
  label               = "office"
  deletion_protection = true
}

# No branch can be anonymized in a project that has private networking, so it is the other one.
resource "neon_vpc_endpoint_restriction" "shop" {
  project_id      = neon_project.shop.id
  vpc_endpoint_id = neon_vpc_endpoint_assignment.office.vpc_endpoint_id
  label           = "shop"
}
