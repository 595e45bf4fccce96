output "branch_id" {
  value = neon_branch.preview.id
}

output "database_url" {
  description = "For the application, through the connection pooler."
  value       = data.neon_connection_uri.app.uri
  sensitive   = true
}
