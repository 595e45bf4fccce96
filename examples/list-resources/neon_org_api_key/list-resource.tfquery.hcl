variable "org_id" {
  type = string
}

# The keys of the provider's organization.
list "neon_org_api_key" "all" {
  provider = neon
}

# Those of another one.
list "neon_org_api_key" "others" {
  provider = neon

  config {
    org_id = var.org_id
  }
}
