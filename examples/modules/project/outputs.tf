output "project_id" {
  value = neon_project.this.id
}

output "role_name" {
  value = neon_role.app.name
}

output "database_ids" {
  description = "Id of each database on production, by name."
  value       = { for name, database in neon_database.app : name => database.id }
}

output "branch_ids" {
  description = "Id of each environment's branch, production included."
  value = merge(
    { (var.production.name) = neon_project.this.default_branch.id },
    { for name, branch in neon_branch.environment : name => branch.id },
  )
}

output "hosts" {
  description = "Where applications connect to in each environment, through the connection pooler."
  value = merge(
    { (var.production.name) = neon_project.this.default_branch.endpoint.pooler_host },
    { for name, branch in neon_branch.environment : name => branch.endpoints["primary"].pooler_host },
  )
}
