data "neon_organizations" "mine" {}

output "organization_ids" {
  value = { for organization in data.neon_organizations.mine.organizations : organization.name => organization.id }
}
