terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "org_id" {
  type = string
}

### For a team that works on all projects
# May do everything in every project of the organization.
resource "neon_org_api_key" "platform_team" {
  org_id = var.org_id
  name   = "platform-team"

  # Any change here creates a new key.
  rotation_triggers = {
    quarter = "2027-Q1"
  }
}
