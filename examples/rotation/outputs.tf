output "key_id" {
  value = neon_api_key.deploy.id
}

output "key" {
  value     = neon_api_key.deploy.key
  sensitive = true
}

output "replaced_after" {
  value = time_rotating.key.rotation_rfc3339
}
