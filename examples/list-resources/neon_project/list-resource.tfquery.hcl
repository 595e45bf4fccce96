# All projects of the provider's organization.
list "neon_project" "all" {
  provider = neon
}

# Those with a word in their names, with all their settings.
list "neon_project" "shops" {
  provider         = neon
  include_resource = true
  limit            = 1000

  config {
    search = "shop"
  }
}
