terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "project_id" {
  type = string
}

### With a snapshot before it goes
resource "neon_branch" "tenant" {
  project_id  = var.project_id
  name        = "tenant-42"
  init_source = "schema-only" # a root branch: of others Neon takes no snapshots

  final_snapshot = {
    name       = "tenant-42 at its end"
    expires_in = "720h"
  }
}
