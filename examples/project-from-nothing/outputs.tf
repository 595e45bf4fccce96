output "project_id" {
  value = module.shop.project_id
}

output "hosts" {
  description = "Where applications connect to in each environment, through the connection pooler."
  value       = module.shop.hosts
}
