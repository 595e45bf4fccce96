# A project with a role and its databases, and a branch for each environment. What is secret
# never reaches the state: callers read connection strings with the ephemeral resource
# neon_connection_uri.
terraform {
  required_version = ">= 1.8"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

resource "neon_project" "this" {
  name                = var.name
  region_id           = var.region_id
  pg_version          = var.pg_version
  deletion_protection = var.deletion_protection

  default_branch = {
    name      = var.production.name
    protected = var.production.protected
    endpoint = {
      autoscaling_limit_min_cu = var.production.min_cu
      autoscaling_limit_max_cu = var.production.max_cu
    }
  }
}

resource "neon_role" "app" {
  project_id = neon_project.this.id
  branch_id  = neon_project.this.default_branch.id
  name       = var.role_name

  password_rotation_triggers = var.password_rotation_triggers
}

resource "neon_database" "app" {
  for_each = var.databases

  project_id          = neon_project.this.id
  branch_id           = neon_project.this.default_branch.id
  name                = each.value
  owner_name          = neon_role.app.name
  deletion_protection = var.deletion_protection
}

# A branch begins as a copy of production, with its roles and databases, so these come
# first. An environment that exists keeps what it has.
resource "neon_branch" "environment" {
  for_each = var.environments

  project_id = neon_project.this.id
  parent_id  = neon_project.this.default_branch.id
  name       = each.key
  protected  = each.value.protected

  endpoints = {
    primary = {
      type                     = "read_write"
      autoscaling_limit_min_cu = each.value.min_cu
      autoscaling_limit_max_cu = each.value.max_cu
    }
  }

  depends_on = [neon_database.app]
}

resource "neon_project_permission" "member" {
  for_each = var.members

  project_id = neon_project.this.id
  email      = each.value
}
