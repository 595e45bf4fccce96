terraform {
  required_version = ">= 1.14"

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

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

resource "neon_snapshot" "good" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "good"
}

# terraform apply -invoke=action.neon_restore_snapshot.good
action "neon_restore_snapshot" "good" {
  config {
    project_id       = var.project_id
    snapshot_id      = neon_snapshot.good.id
    target_branch_id = data.neon_branch.main.id
    name             = "good-restored"

    # true has the restored branch take main's place at once.
    finalize_restore = false
  }
}
