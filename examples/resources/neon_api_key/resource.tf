resource "neon_api_key" "deploy" {
  name = "deploy"
}

resource "neon_api_key" "nightly" {
  name = "nightly"

  # Any change here makes a new key.
  rotation_triggers = {
    quarter = "2027-Q1"
  }

  # The new key is made first, and the old one revoked afterwards.
  lifecycle {
    create_before_destroy = true
  }
}

output "deploy_key" {
  value     = neon_api_key.deploy.key
  sensitive = true
}
