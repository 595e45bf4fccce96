terraform {
  required_version = ">= 1.10"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# Revoked at the end of each plan and apply.
ephemeral "neon_api_key" "run" {
  name = "terraform-run"
}

# What this configuration uses works with the key of the run.
provider "neon" {
  alias   = "run"
  api_key = ephemeral.neon_api_key.run.key
}

data "neon_projects" "all" {
  provider = neon.run
}
