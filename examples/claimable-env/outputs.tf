output "claim_url" {
  description = "Open this before the database expires, to keep it in an account of yours."
  value       = neon_claimable_database.trial.claim_url
  sensitive   = true
}

output "expires_at" {
  value = neon_claimable_database.trial.expires_at
}
