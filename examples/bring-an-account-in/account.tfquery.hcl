# The projects of the provider's organization, and what is in them. Delete the blocks of what is to stay outside.
list "neon_project" "all" {
  provider         = neon
  include_resource = true
  limit            = 10000
}

locals {
  projects = toset([for project in list.neon_project.all.data : project.identity.id])
}

# Branches come with their compute endpoints.
list "neon_branch" "all" {
  for_each = local.projects

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value
  }
}

list "neon_project_permission" "all" {
  for_each = local.projects

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value
  }
}

list "neon_jwks_url" "all" {
  for_each = local.projects

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value
  }
}

list "neon_vpc_endpoint_restriction" "all" {
  for_each = local.projects

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value
  }
}

list "neon_snapshot" "all" {
  for_each = local.projects

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value
  }
}

list "neon_branch_backup_schedule" "all" {
  for_each = local.projects

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value
  }
}

# Each branch has roles and databases of its own, which began as copies of its parent's. To import only
# those of default branches, set for_each = local.projects and project_id = each.value, and leave branch_id out.
locals {
  branches = merge([
    for branches in list.neon_branch.all : { for branch in branches.data : branch.identity.id => branch.identity }
  ]...)
}

list "neon_role" "all" {
  for_each = local.branches

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value.project_id
    branch_id  = each.value.id
  }
}

list "neon_database" "all" {
  for_each = local.branches

  provider         = neon
  include_resource = true
  limit            = 10000

  config {
    project_id = each.value.project_id
    branch_id  = each.value.id
  }
}

list "neon_vpc_endpoint_assignment" "all" {
  provider         = neon
  include_resource = true
  limit            = 10000
}
