resource "neon_claimable_database" "trial" {
  ref = "terraform-example" # who sent you
}

output "connection_string" {
  value     = neon_claimable_database.trial.connection_string
  sensitive = true
}

# Open this in a browser to keep the database in an account of yours.
output "claim_url" {
  value     = neon_claimable_database.trial.claim_url
  sensitive = true
}
