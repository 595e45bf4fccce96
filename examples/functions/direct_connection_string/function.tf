terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

resource "neon_claimable_database" "trial" {
  ref = "terraform-example"
}

# For migrations: the same database, past the pooler.
output "migration_url" {
  value     = provider::neon::direct_connection_string(neon_claimable_database.trial.connection_string)
  sensitive = true
}
