terraform {
  required_version = ">= 1.8"
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

provider "neon" {}

# What there is, by the id that imports it.

data "neon_projects" "all" {}

data "neon_branches" "all" {
  for_each   = local.projects
  project_id = each.key
}

data "neon_endpoints" "all" {
  for_each   = local.projects
  project_id = each.key
}

data "neon_project_permissions" "all" {
  for_each   = local.projects
  project_id = each.key
}

data "neon_roles" "all" {
  for_each   = local.branches
  project_id = each.value.project_id
  branch_id  = each.value.id
}

data "neon_databases" "all" {
  for_each   = local.branches
  project_id = each.value.project_id
  branch_id  = each.value.id
}

locals {
  projects = { for project in data.neon_projects.all.projects : project.id => project }
  branches = merge([for id, found in data.neon_branches.all : {
    for branch in found.branches : "${id}/${branch.id}" => branch
  }]...)
  endpoints = merge([for id, found in data.neon_endpoints.all : {
    for endpoint in found.endpoints : "${id}/${endpoint.id}" => merge(endpoint, { project_id = id })
  }]...)
  permissions = merge([for id, found in data.neon_project_permissions.all : {
    for permission in found.permissions : "${id}/${permission.id}" => merge(permission, { project_id = id })
  }]...)
  roles = merge([for id, found in data.neon_roles.all : {
    for role in found.roles : "${id}/${role.name}" => merge(role, { project_id = found.project_id, branch_id = found.branch_id })
  }]...)
  databases = merge([for id, found in data.neon_databases.all : {
    for database in found.databases : "${id}/${database.name}" => merge(database, { project_id = found.project_id, branch_id = found.branch_id })
  }]...)
}

# How it is managed from now on.

import {
  for_each = local.projects
  to       = neon_project.all[each.key]
  id       = each.key
}

# Settings that nobody has configured are left out.
resource "neon_project" "all" {
  for_each = local.projects
  name     = each.value.name
  quota = anytrue([for limit in values(each.value.quota) : limit > 0]) ? {
    for name, limit in each.value.quota : name => limit > 0 ? limit : null
  } : null
  allowed_ips                         = length(each.value.allowed_ips) > 0 ? each.value.allowed_ips : null
  allowed_ips_protected_branches_only = each.value.allowed_ips_protected_branches_only ? true : null
  block_public_connections            = each.value.block_public_connections ? true : null
  block_vpc_connections               = each.value.block_vpc_connections ? true : null
  enable_logical_replication          = each.value.enable_logical_replication ? true : null
  hipaa                               = each.value.hipaa ? true : null
  preload_libraries                   = each.value.preload_libraries
}

import {
  for_each = local.branches
  to       = neon_branch.all[each.key]
  id       = each.key
}

resource "neon_branch" "all" {
  for_each   = local.branches
  project_id = each.value.project_id
  name       = each.value.name
  protected  = each.value.protected
  expires_at = each.value.expires_at
}

import {
  for_each = local.endpoints
  to       = neon_endpoint.all[each.key]
  id       = each.key
}

resource "neon_endpoint" "all" {
  for_each          = local.endpoints
  project_id        = each.value.project_id
  branch_id         = each.value.branch_id
  type              = each.value.type
  disabled          = each.value.disabled
  pg_settings       = length(each.value.pg_settings) > 0 ? each.value.pg_settings : null
  preload_libraries = each.value.preload_libraries
}

import {
  for_each = local.permissions
  to       = neon_project_permission.all[each.key]
  id       = each.key
}

resource "neon_project_permission" "all" {
  for_each   = local.permissions
  project_id = each.value.project_id
  email      = each.value.email
}

import {
  for_each = local.roles
  to       = neon_role.all[each.key]
  id       = each.key
}

resource "neon_role" "all" {
  for_each   = local.roles
  project_id = each.value.project_id
  branch_id  = each.value.branch_id
  name       = each.value.name
  no_login   = each.value.no_login
}

import {
  for_each = local.databases
  to       = neon_database.all[each.key]
  id       = each.key
}

resource "neon_database" "all" {
  for_each   = local.databases
  project_id = each.value.project_id
  branch_id  = each.value.branch_id
  name       = each.value.name
  owner_name = each.value.owner_name
}
