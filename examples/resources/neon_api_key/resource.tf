resource "neon_api_key" "deploy" {
  name = "deploy"

  # Any change here revokes the key and makes a new one.
  rotation_triggers = {
    quarter = "2027-Q1"
  }

  # On rotation, make the new key first and revoke the old one afterwards.
  lifecycle {
    create_before_destroy = true
  }
}

output "deploy_key" {
  value     = neon_api_key.deploy.key
  sensitive = true
}
