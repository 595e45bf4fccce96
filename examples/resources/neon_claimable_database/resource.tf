terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

resource "neon_claimable_database" "trial" {
  # Tells Neon who referred you: the name of your project, for example.
  ref = "terraform-example"
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
