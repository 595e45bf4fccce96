terraform {
  required_version = ">= 1.14"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

resource "neon_claimable_database" "trial" {
  ref    = "terraform-example"
  engine = "claimable_neon"
}

# terraform apply -invoke=action.neon_create_claim_link.trial
action "neon_create_claim_link" "trial" {
  config {
    project_id         = neon_claimable_database.trial.project_id
    identity_assertion = neon_claimable_database.trial.identity_assertion
  }
}
