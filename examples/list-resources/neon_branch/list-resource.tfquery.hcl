variable "project_id" {
  type = string
}

# All branches of a project with their endpoints. Without a limit, Terraform takes the first 100.
list "neon_branch" "all" {
  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = var.project_id
  }
}

# Those with a word in their names.
list "neon_branch" "previews" {
  provider = neon

  config {
    project_id = var.project_id
    search     = "preview"
  }
}

# Previews that nobody has used for a month, and that no other branch needs.
list "neon_branch" "stale" {
  provider = neon

  config {
    project_id       = var.project_id
    name_prefix      = "preview/"
    older_than       = "30d"
    idle_for         = "30d"
    without_children = true
  }
}
