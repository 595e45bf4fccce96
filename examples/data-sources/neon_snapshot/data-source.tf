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

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

resource "neon_snapshot" "release" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "release"
}

# What changes by itself, such as its size, only the data source has.
data "neon_snapshot" "release" {
  project_id = var.project_id
  id         = neon_snapshot.release.id
}

output "bytes" {
  value = data.neon_snapshot.release.full_size
}
