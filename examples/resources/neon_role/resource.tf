variable "project_id" {
  type = string
}

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

resource "neon_role" "app" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "app"
}

resource "neon_role" "reports" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "reports"

  # A later change here has Neon choose a new password.
  password_rotation_triggers = {
    quarter = "2027-Q1"
  }
}
