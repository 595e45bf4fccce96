variable "project_id" {
  type = string
}

variable "schema_version" {
  type    = string
  default = "1"
}

# What the default branch was before the last migration.
resource "neon_branch" "before_migration" {
  project_id = var.project_id
  name       = "before-migration"
}

action "neon_reset_branch" "before_migration" {
  config {
    project_id = var.project_id
    branch_id  = neon_branch.before_migration.id
  }
}

# Stands for what changes the data.
resource "terraform_data" "migration" {
  input = var.schema_version

  lifecycle {
    action_trigger {
      events  = [before_update]
      actions = [action.neon_reset_branch.before_migration]
    }
  }
}
