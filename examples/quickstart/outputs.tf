output "projects" {
  description = "Names of the organization's projects."
  value       = [for project in data.neon_projects.all.projects : project.name]
}

output "project_id" {
  value = neon_project.tour.id
}

output "branch_id" {
  value = neon_branch.preview.id
}

output "host" {
  description = "Where an application connects to, through the connection pooler."
  value       = neon_branch.preview.endpoints["primary"].pooler_host
}

output "replica_host" {
  value = neon_branch.preview.endpoints["replica"].host
}

output "deploy_key" {
  value     = neon_api_key.deploy.key
  sensitive = true
}

output "project_key" {
  value     = neon_org_api_key.project.key
  sensitive = true
}

output "trial_connection_string" {
  value     = neon_claimable_database.trial.connection_string
  sensitive = true
}

output "trial_claim_url" {
  description = "Open this within 72 hours to take the database into an account."
  value       = neon_claimable_database.trial.claim_url
  sensitive   = true
}

output "trial_expires_at" {
  value = neon_claimable_database.trial.expires_at
}
