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

# DATABASE_URL, DATABASE_URL_DIRECT and PUBLIC_POSTGRES_CLAIM_URL. Write them to a file with
# local_sensitive_file, or with: terraform output -raw env > .env
output "env" {
  value     = provider::neon::env_file(neon_claimable_database.trial)
  sensitive = true
}

# MAIN_URL, MAIN_URL_DIRECT and VITE_POSTGRES_CLAIM_URL.
output "env_for_vite" {
  value     = provider::neon::env_file(neon_claimable_database.trial, { key = "MAIN_URL", prefix = "VITE_" })
  sensitive = true
}
