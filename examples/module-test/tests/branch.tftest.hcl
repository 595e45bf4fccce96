provider "neon" {}

variables {
  name = "shop"
}

run "creates" {
  assert {
    condition     = neon_branch.staging.endpoints["app"].pooler_host != ""
    error_message = "The branch has no host."
  }
}
