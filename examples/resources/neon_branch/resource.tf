variable "project_id" {
  type = string
}

# A branch of the project's default branch, with a compute endpoint for the
# application and a smaller one for reports. The keys of the map are yours: they
# tell Terraform which endpoint is which.
resource "neon_branch" "staging" {
  project_id = var.project_id
  name       = "staging"

  endpoints = {
    app = {
      type                     = "read_write"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 2
      suspend_timeout_seconds  = 300
    }
    reports = {
      type                     = "read_only"
      autoscaling_limit_min_cu = 0.25
      autoscaling_limit_max_cu = 0.5
    }
  }
}

# A short-lived branch of that branch. The platform deletes it at expires_at.
variable "preview_expires_at" {
  description = "At most 30 days ahead, such as 2027-01-15T12:00:00Z."
  type        = string
}

resource "neon_branch" "preview" {
  project_id = var.project_id
  parent_id  = neon_branch.staging.id
  name       = "preview/pr-42"
  expires_at = var.preview_expires_at

  endpoints = {
    app = { type = "read_write" }
  }
}

output "staging_host" {
  value = neon_branch.staging.endpoints["app"].pooler_host
}
