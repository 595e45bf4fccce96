data "neon_org_api_keys" "all" {
  depends_on = [neon_org_api_key.pipeline]
}

output "keys" {
  value = { for key in data.neon_org_api_keys.all.keys : key.name => key.created_at... }
}
