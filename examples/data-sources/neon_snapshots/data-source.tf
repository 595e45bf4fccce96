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

data "neon_snapshots" "all" {
  project_id = var.project_id
}

output "manual_snapshots" {
  value = [for snapshot in data.neon_snapshots.all.snapshots : snapshot.name if snapshot.manual]
}
