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

resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"
}

resource "neon_bucket" "uploads" {
  project_id = var.project_id
  branch_id  = neon_branch.staging.id
  name       = "uploads"
}

resource "neon_bucket_object" "config" {
  project_id   = var.project_id
  branch_id    = neon_bucket.uploads.branch_id
  bucket_name  = neon_bucket.uploads.name
  key          = "config/main.tf"
  source       = "${path.module}/main.tf"
  content_type = "text/plain"

  lifecycle {
    replace_triggered_by = [neon_bucket.uploads.id] # Another bucket begins empty.
  }
}
