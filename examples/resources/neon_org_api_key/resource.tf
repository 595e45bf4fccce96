variable "org_id" {
  type = string
}

variable "project_id" {
  type = string
}

# May work in one project only.
resource "neon_org_api_key" "ci" {
  org_id     = var.org_id
  project_id = var.project_id
  name       = "ci"
}

# May do everything in every project of the organization.
resource "neon_org_api_key" "platform_team" {
  org_id = var.org_id
  name   = "platform-team"

  # Any change here makes a new key.
  rotation_triggers = {
    quarter = "2027-Q1"
  }
}

output "ci_key" {
  value     = neon_org_api_key.ci.key
  sensitive = true
}
