output "auth_url" {
  description = "What the application signs people in with."
  value       = neon_auth.shop.base_url
}

output "callbacks" {
  description = "To register at each provider, as where it may send people back to."
  value       = { for name in keys(var.oauth_client_ids) : name => "${neon_auth.shop.base_url}/callback/${name}" }
}

output "data_api_url" {
  value = neon_data_api.shop.url
}
