# The personal keys of the user whose key the provider has.
list "neon_api_key" "mine" {
  provider = neon
}
