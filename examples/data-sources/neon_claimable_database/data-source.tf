terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "database_id" {
  type      = string
  sensitive = true
}

data "neon_claimable_database" "trial" {
  id = var.database_id
}

output "claimed" {
  value = data.neon_claimable_database.trial.status == "CLAIMED"
}
