variable "project_id" {
  type = string
}

list "neon_vpc_endpoint_restriction" "all" {
  provider = neon

  config {
    project_id = var.project_id
  }
}
