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

  seed = {
    type = "sql-script"
    path = "${path.module}/seed.sql"
  }

  # Without this, a change of the file changes nothing.
  lifecycle {
    replace_triggered_by = [terraform_data.seed]
  }
}

resource "terraform_data" "seed" {
  input = filesha256("${path.module}/seed.sql")
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
