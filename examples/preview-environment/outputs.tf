output "branch_id" {
  value = neon_branch.preview.id
}

output "schema_changes" {
  description = "As diff -u writes them; empty for none."
  value       = data.neon_schema_diff.changes.diff
}

output "database_url" {
  description = "For migrations and tests, past the connection pooler."
  value       = data.neon_connection_uri.app.uri
  sensitive   = true
}
